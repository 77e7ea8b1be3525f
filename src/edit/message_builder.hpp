// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <tgmap/write/stream_writer.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

namespace tgmap::edit {

/// How objects are put into messages.
struct message_plan {
  bool separate = false;  ///< one message per object, not one for all
  bool stream = false;    ///< write streamed messages
  write_options layout{};
  cbor_value extra = cbor_value::map();  ///< keys of every message
};

/// An object that was written.
struct built_object {
  std::uint64_t message = 0, object = 0;  ///< numbers
  tgmap::dtype dtype = dtype::uint8;
  std::vector<std::uint64_t> shape{};
  std::uint64_t bytes = 0;                ///< size of the elements
  std::optional<std::uint64_t> stored{};  ///< size of payload and masks; unknown for streams
};

/// A `message_builder` writes objects into a sink. The objects of one message are kept until it is complete, except for
/// streams. After a failure no other function but the accessors may be called.
class message_builder {
 public:
  /// Lifetime: the sink must outlive the builder. Errors: throws those of writer.
  message_builder(sink&, message_plan);

  /// Adds an object, whose elements `memory` owns. Elements of float32 become float64 if they are to be packed.
  /// Errors: those of validate_pipeline, writer and stream_writer.
  void add(new_object&&, std::shared_ptr<const void> memory, failure&);

  /// Completes the last message. Errors: as `add`.
  void finish(failure&);

  /// Returns the number of the object that the last failure concerns, counted from the first call of `add`; nothing if
  /// it concerns none.
  const std::optional<std::size_t>& failed_object() const noexcept { return failed_object_; }

  const std::vector<built_object>& built() const noexcept { return built_; }
  std::uint64_t messages() const noexcept { return messages_; }
  std::uint64_t written() const noexcept { return written_; }
  std::uint64_t widened() const noexcept { return widened_; }  ///< objects stored as float64 because they are packed

 private:
  void write_pending(failure&);
  void stream(const new_object&, failure&);
  void end_stream(failure&);
  void end_message() noexcept;
  void find_failed(const failure&);

  sink& to_;
  const message_plan plan_;
  writer writer_;
  std::unique_ptr<stream_writer> stream_{};
  new_message pending_{};
  std::vector<std::shared_ptr<const void>> memory_{};
  std::vector<built_object> built_{};
  std::size_t begin_ = 0;  ///< number of the first object of the current message
  std::optional<std::size_t> failed_object_{};
  std::uint64_t messages_ = 0, written_ = 0, widened_ = 0;
};

}  // namespace tgmap::edit

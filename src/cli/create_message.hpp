// SPDX-License-Identifier: Apache-2.0
// Arrays become messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/write/stream_writer.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

#include "cli/array_inputs.hpp"
#include "cli/complaint.hpp"
#include "cli/metadata_options.hpp"

namespace tgmap::cli {

/// How arrays are put into messages.
struct message_plan {
  bool separate = false;  ///< a message for each array; else one for all
  bool stream = false;    ///< in the layout of streams
  write_options layout{};
  tgmap::pipeline pipeline{};
};

/// An object that has been written, to be told of.
struct created_object {
  std::uint64_t message = 0, object = 0;  ///< numbers
  std::string file{}, member{}, name{};
  tgmap::dtype dtype = dtype::uint8;
  std::vector<std::uint64_t> shape{};
  std::uint64_t bytes = 0;                ///< of its elements
  std::optional<std::uint64_t> stored{};  ///< of payload and masks; not known of streams
};

/// An array that cannot be written as it was asked for.
class refused_array : public complaint {
 public:
  refused_array(std::string array, const std::string& text, std::string next_step)
      : complaint(text, std::move(next_step)), array_(std::move(array)) {}
  const std::string& array() const noexcept { return array_; }  ///< its label

 private:
  std::string array_;
};

/// Writes arrays into a sink as they come; what becomes one message and no stream is kept until the end.
class message_maker {
 public:
  /// The sink and the metadata must live longer.
  message_maker(sink&, const message_plan&, const new_metadata&);

  /// Throws refused_array; tgmap::error of the sink.
  void add(array_input&&);

  /// There are no more. Throws as add; complaint of the metadata.
  void finish();

  const std::vector<created_object>& created() const noexcept { return created_; }
  std::uint64_t messages() const noexcept { return messages_; }
  std::uint64_t written() const noexcept { return written_; }

 private:
  new_object object_of(array_input&);
  void write_kept();
  void stream(const new_object&);
  void end_stream();
  void check(const failure&);

  sink& to_;
  const message_plan plan_;
  const new_metadata& metadata_;
  writer writer_;
  std::unique_ptr<stream_writer> stream_{};
  new_message kept_{};
  std::vector<std::shared_ptr<const void>> memory_{};
  std::vector<std::string> labels_{};  ///< of the objects of the message at hand
  std::vector<created_object> created_{};
  std::uint64_t messages_ = 0, written_ = 0;
};

}  // namespace tgmap::cli

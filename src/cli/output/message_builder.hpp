// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/write/stream_writer.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/input/array_inputs.hpp"
#include "cli/options/metadata_options.hpp"

namespace tgmap::cli {

/// Options for putting arrays into messages.
struct message_plan {
  bool separate = false;  ///< one message per array, not one for all
  bool stream = false;    ///< write streamed messages
  write_options layout{};
  tgmap::pipeline pipeline{};
};

/// An object that was written, for the report.
struct created_object {
  std::uint64_t message = 0, object = 0;  ///< numbers
  std::string file{}, member{}, name{};
  tgmap::dtype dtype = dtype::uint8;
  std::vector<std::uint64_t> shape{};
  std::uint64_t bytes = 0;                ///< size of the elements
  std::optional<std::uint64_t> stored{};  ///< size of payload and masks; unknown for streams
};

/// An array that cannot be written as requested.
class array_error : public cli_error {
 public:
  array_error(std::string array, const std::string& text, std::string next_step)
      : cli_error(text, std::move(next_step)), array_(std::move(array)) {}
  const std::string& array() const noexcept { return array_; }  ///< its label

 private:
  std::string array_;
};

/// Writes arrays into a sink. The objects of one message are kept until it is complete, except for streams.
class message_builder {
 public:
  /// Lifetime: the sink and the metadata must outlive the builder.
  message_builder(sink&, const message_plan&, const new_metadata&);

  /// Adds an array. Errors: array_error; tgmap::error from the sink.
  void add(array_input&&);

  /// Completes the last message. Errors: like add; cli_error for the metadata.
  void finish();

  const std::vector<created_object>& created() const noexcept { return created_; }
  std::uint64_t messages() const noexcept { return messages_; }
  std::uint64_t written() const noexcept { return written_; }
  std::uint64_t widened() const noexcept { return widened_; }  ///< arrays stored as float64 because they are packed

 private:
  new_object object_of(array_input&);
  void write_pending();
  void stream(const new_object&);
  void end_stream();
  void check(const failure&);

  sink& to_;
  const message_plan plan_;
  const new_metadata& metadata_;
  writer writer_;
  std::unique_ptr<stream_writer> stream_{};
  new_message pending_{};
  std::vector<std::shared_ptr<const void>> memory_{};
  std::vector<std::string> labels_{};  ///< of the objects of the current message
  std::vector<created_object> created_{};
  std::uint64_t messages_ = 0, written_ = 0, widened_ = 0;
};

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/zio/frame.hpp>

#include "cli/input/input_bytes.hpp"

namespace tgmap::cli {

/// A ZIO message in a file that holds one single frame.
class frame_input {
 public:
  /// "-" is standard input. Throws file_error; cli_error, which tells at which byte the frame is none.
  explicit frame_input(const std::string& file) : frame_input(file, input_bytes::read(file)) {}
  frame_input(const std::string& file, input_bytes);  ///< of which the bytes were read

  std::span<const std::byte> bytes() const noexcept { return file_.bytes(); }
  const zio::message& message() const noexcept { return message_; }  ///< its payload lies in `bytes`
  const zio::frame_format& spelling() const noexcept { return spelling_; }

  /// The byte of the frame with which the label begins.
  std::uint64_t label_at() const noexcept;

 private:
  input_bytes file_;
  zio::message message_{};
  zio::frame_format spelling_{};
};

/// The text of a failure whose offset is a byte of a frame: the first one is told, too.
std::string frame_fault(const failure&);

/// What to do about it.
std::string next_step_of_frame(const failure&, std::string_view file);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/zio/frame.hpp>
#include <vector>

#include "cli/app/read_input.hpp"
#include "cli/command/verb.hpp"

namespace tgmap::cli {

// The verbs of `tens`.
action declare_tens_show(CLI::App&, session&);
action declare_tens_import(CLI::App&, session&);
action declare_tens_export(CLI::App&, session&);
action declare_tens_keys(CLI::App&, session&);

/// Adds the argument for files with one frame each.
void add_frame_files(CLI::App&, std::vector<std::string>& into);

/// Throws usage_error if standard input is given twice.
void check_frame_files(const std::vector<std::string>&);

/// A `frame_file` is a file with one ZIO message in a single frame.
class frame_file {
 public:
  /// Reads a file; "-" is standard input. Errors: throws file_error; cli_error with the offset if it is not a frame.
  explicit frame_file(const std::string& file) : frame_file(file, read_input(file)) {}
  frame_file(const std::string& file, convert::file_bytes);  ///< takes bytes that were read already

  std::span<const std::byte> bytes() const noexcept { return file_.bytes(); }
  const zio::message& message() const noexcept { return message_; }  ///< its payload is a part of `bytes`
  const zio::frame_format& format() const noexcept { return format_; }

 private:
  convert::file_bytes file_;
  zio::message message_{};
  zio::frame_format format_{};
};

/// Returns the next step after a failure in a frame.
std::string next_step_of_frame(const failure&, std::string_view file);

}  // namespace tgmap::cli

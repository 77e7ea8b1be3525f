// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace tgmap::cli {

/// Who read our output has gone (`tgmap ls f.tgm | head`). No error: the command ends quietly.
struct closed_pipe {};

/// Standard output cannot be written; not the fault of the file at hand.
class output_error : public std::system_error {
 public:
  using std::system_error::system_error;
};

/// Standard output, buffered. A write error is never overlooked: output_error, or closed_pipe.
class output {
 public:
  output();

  void write(std::string_view text);
  void write(std::span<const std::byte> data);
  void flush();

  bool terminal() const noexcept { return terminal_; }
  /// `text` as a heading: bold where the output is a terminal that can and may show it.
  std::string heading(std::string_view text) const;

 private:
  std::string buffer_;
  bool terminal_;
  bool bold_;
};

/// Writes all of `data`; false with errno set.
bool write_all(int descriptor, std::span<const std::byte> data) noexcept;

}  // namespace tgmap::cli

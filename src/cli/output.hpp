// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tgmap::cli {

/// Who read our output has gone (`tgmap ls f.tgm | head`). No error: the command ends quietly.
struct closed_pipe {};

/// Standard output cannot be written; not the fault of the file at hand.
class output_error : public std::system_error {
 public:
  using std::system_error::system_error;
};

enum class color_choice : std::uint8_t {
  automatic,  ///< at a terminal that shows it, unless NO_COLOR is set
  always,
  never,
};

/// Standard output, buffered. A write error is never overlooked: output_error, or closed_pipe.
class output {
 public:
  output();

  void write(std::string_view text);
  void write(std::span<const std::byte> data);
  void flush();

  bool terminal() const noexcept { return terminal_; }

  void set_color(color_choice choice) noexcept { color_ = choice; }
  /// Colours and bold text may be written.
  bool colored() const;
  /// `text` as a heading: bold where that can and may be shown.
  std::string heading(std::string_view text) const;

  /// What takes a progress bar out of the last line of the terminal; empty: there is none.
  void on_make_way(std::function<void()> clear) { clear_ = std::move(clear); }
  /// Before something else is written to the terminal.
  void make_way() const {
    if (clear_) clear_();
  }

 private:
  std::string buffer_;
  std::function<void()> clear_;
  color_choice color_ = color_choice::automatic;
  bool terminal_;
};

/// Writes all of `data`; false with errno set.
bool write_all(int descriptor, std::span<const std::byte> data) noexcept;

}  // namespace tgmap::cli

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

#include "core/text/text_sink.hpp"

namespace tgmap::cli {

/// Thrown when the reader of standard output has closed it (`tgmap ls f.tgm | head`): the command ends quietly.
struct closed_pipe {};

/// Standard output cannot be written.
class output_error : public std::system_error {
 public:
  using std::system_error::system_error;
};

enum class color_choice : std::uint8_t {
  automatic,  ///< at a terminal that supports it, unless NO_COLOR is set
  always,
  never,
};

/// Buffered standard output. Errors: output_error; closed_pipe.
class output final : public core::text_sink {
 public:
  output();

  void write(std::string_view text);
  bool take(std::string_view text) override { return write(text), true; }
  void write(std::span<const std::byte> data);
  void flush();

  bool is_terminal() const noexcept { return terminal_; }

  void set_color(color_choice choice) noexcept { color_ = choice; }
  /// Returns true if colours and bold text may be printed.
  bool is_colored() const;
  /// Returns `text` as a heading: bold if colours are on.
  std::string heading(std::string_view text) const;

  /// Returns heading() as a function. Lifetime: this output must outlive it.
  std::function<std::string(std::string_view)> heading_style() const {
    return [this](std::string_view text) { return heading(text); };
  }

  /// Sets the function that removes the progress bar from the terminal; empty: there is no bar.
  void set_progress_clearer(std::function<void()> clear) { clear_ = std::move(clear); }
  /// Removes the progress bar, before something else is written to the terminal.
  void clear_progress() const {
    if (clear_) clear_();
  }

 private:
  std::string buffer_;
  std::function<void()> clear_;
  color_choice color_ = color_choice::automatic;
  bool terminal_;
};

/// Writes all of `data`. Returns false with errno set if that fails.
bool write_all(int descriptor, std::span<const std::byte> data) noexcept;

/// The size of a terminal in characters.
struct cells {
  std::size_t columns = 80, rows = 24;
};

/// Returns the size of the terminal: from the terminal itself, or COLUMNS and LINES, or 80 x 24.
cells window_size();

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
// The tokens of a JSON text, one after the other: brackets, commas, colons, and where strings, numbers and words begin.
//
// simdjson finds them, a window of the text at a time. Windows are copied before they are looked at, so that nothing
// changes between finding and reading, and that there is room behind them; and the index of one window, not of the
// text, is all that it takes in memory. A window ends behind a comma outside strings: no value lies in two, nor do a
// name and the beginning of its value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// A text that somebody keeps. A mapped one may change, and become shorter.
struct text_view {
  const char* data = nullptr;
  std::uint64_t size = 0;
  bool mapped = false;
};

inline constexpr std::size_t usual_window = std::size_t{1} << 18;

inline bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Ends a number or a word.
inline bool is_terminator(char c) noexcept {
  return is_space(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '[' || c == '{';
}

/// Why there are no more tokens. Without a code: the text has ended.
struct token_stop {
  failure why{};
  std::uint64_t offset = 0;
  const char* expected = "";
  std::string found{};
};

/// What stands between a quote and the one before the next token.
inline std::string_view between_quotes(const char* quote, const char* end) noexcept {
  const char* begin = quote + 1;
  while (end > begin && is_space(end[-1])) --end;
  return end > begin ? std::string_view(begin, static_cast<std::size_t>(end - 1 - begin)) : std::string_view();
}

class token_source {
 public:
  /// Begins at `from`, which is not inside a string. Errors are stops. Throws std::bad_alloc.
  explicit token_source(text_view, std::size_t window = usual_window, std::uint64_t from = 0);
  ~token_source();
  token_source(const token_source&) = delete;
  token_source& operator=(const token_source&) = delete;

  /// The first byte of the token: `"` of a string; NUL where there are no more. Behind a window are 64 spaces.
  const char* here() const noexcept { return window_ + index_[at_]; }
  char kind() const noexcept { return *here(); }
  std::uint64_t offset() const noexcept { return base_ + index_[at_]; }
  void next() {
    if (++at_ >= count_) load();
  }
  bool stopped() const noexcept { return stopped_; }
  const token_stop& stop() const noexcept { return stop_; }

  /// The token behind this one, in the same window: where there is none, its end.
  const char* following() const noexcept { return window_ + index_[at_ + 1]; }
  /// How many tokens the window has from here on.
  std::size_t left() const noexcept { return count_ - at_; }
  const char* window_end() const noexcept { return window_ + length_; }
  /// Where a byte of the window lies in the text.
  std::uint64_t offset_of(const char* in_window) const noexcept {
    return base_ + static_cast<std::uint64_t>(in_window - window_);
  }

  /// What stands between the quotes of the string here.
  std::string_view raw_string() const noexcept { return between_quotes(here(), following()); }
  /// The same of a token some way behind this one; empty where that is none of this window, or no string.
  std::string_view raw_string_ahead(std::size_t tokens) const noexcept;
  /// Counts the tokens of this window.
  std::size_t number() const noexcept { return at_; }
  /// A number, word, or nonsense here, up to what ends it.
  std::string_view scalar() const noexcept;

  /// Goes to a token's first byte, or to where one ends.
  void seek(std::uint64_t offset);

  const text_view& text() const noexcept { return text_; }
  std::size_t window_size() const noexcept { return usual_; }

  /// For loops that keep the place in registers.
  struct cursor {
    const char* window;
    const std::uint32_t* index;
    std::size_t at, count;
  };
  cursor place() const noexcept { return {window_, index_, at_, count_}; }
  void place(const cursor& to) {
    at_ = to.at;
    if (at_ >= count_) load();
  }

 private:
  struct indexer;
  void load();
  bool fill(std::size_t wanted);
  void index_window();
  void find_fault();
  void end_here(token_stop);

  text_view text_;
  std::size_t usual_;
  std::unique_ptr<indexer> indexer_;
  const char* window_ = "";
  const std::uint32_t* index_ = nullptr;
  std::size_t at_ = 0, count_ = 0;
  std::size_t length_ = 0;  // of the window
  std::uint64_t base_ = 0;  // of the window in the text
  bool faulty_ = false;     // behind this window is the stop
  bool stopped_ = false;
  token_stop stop_{};
};

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap

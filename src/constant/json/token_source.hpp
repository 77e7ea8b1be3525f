// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tgmap/constant/report.hpp>
#include <tgmap/mapping_guard.hpp>

#include "constant/json/structural_index.hpp"
#include "constant/model/byte_buffer.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// A `text_view` is a text in memory. A mapped text may change, and its file may become shorter.
struct text_view {
  const char* data = nullptr;
  std::uint64_t size = 0;
  bool is_mapped = false;

  /// Calls `read()`, which reads the text and must be noexcept.
  /// Errors: tgmap::errc::file_shrank.
  template <class Read>
  failure guard(Read&& read) const noexcept {
    if (is_mapped) return mapping_guard::run(read);
    read();
    return {};
  }
};

inline constexpr std::size_t default_window = std::size_t{1} << 18;

inline bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Returns true for a character that ends a number or a word.
inline bool is_terminator(char c) noexcept {
  return is_space(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '[' || c == '{';
}

/// A `token_source` visits the tokens of a JSON text: brackets, commas, colons, and the beginnings of strings, numbers
/// and words.
///
/// It copies and indexes one window of the text at a time. So the bytes cannot change between indexing and reading,
/// they are followed by readable memory, and only the index of one window is in memory. A window ends after a comma
/// outside strings: neither a value nor a name with the first token of its value is split.
class token_source {
 public:
  /// Starts at `from`, which must not be within a string. Errors are in `end()`. Throws std::bad_alloc.
  explicit token_source(text_view text, std::size_t window = default_window, std::uint64_t from = 0)
      : text_(text), window_size_(window), base_(from) {
    load();
  }
  token_source(const token_source&) = delete;
  token_source& operator=(const token_source&) = delete;

  /// Returns the first byte of the current token: `"` for a string, NUL if there are no more. A window is followed by
  /// 64 spaces.
  const char* current() const noexcept { return window_ + index_[at_]; }
  char kind() const noexcept { return *current(); }
  std::uint64_t offset() const noexcept { return base_ + index_[at_]; }
  void next() {
    if (++at_ >= count_) load();
  }
  bool is_at_end() const noexcept { return is_at_end_; }
  /// Returns why there are no more tokens, and where. The text has ended if that is no error.
  const problem& end() const noexcept { return end_; }

  /// Returns the next token, or the end of the window.
  const char* following() const noexcept { return window_ + index_[at_ + 1]; }
  /// Returns the index of the current token in the window.
  std::size_t index_in_window() const noexcept { return at_; }

  /// Returns the bytes between the quotes of the current token, a string.
  std::string_view raw_string() const noexcept { return string_at(at_); }
  /// Returns the same for a later token; empty if it is not a string or not in this window.
  std::string_view raw_string_ahead(std::size_t tokens) const noexcept {
    return tokens < count_ - at_ && window_[index_[at_ + tokens]] == '"' ? string_at(at_ + tokens) : std::string_view();
  }
  /// Returns the current token, a number or a word, up to its terminator.
  std::string_view scalar() const noexcept;

  /// Moves to the first byte of a token, or to the end of one.
  void seek(std::uint64_t offset);

  const text_view& text() const noexcept { return text_; }
  std::size_t window_size() const noexcept { return window_size_; }

  /// A `cursor` is the position in the window, for loops that keep it in registers.
  struct cursor {
    const char* window;
    const std::uint32_t* index;
    std::size_t at, count;
  };
  cursor position() const noexcept { return {window_, index_, at_, count_}; }
  void set_position(const cursor& cursor) {
    at_ = cursor.at;
    if (at_ >= count_) load();
  }

 private:
  std::string_view string_at(std::size_t token) const noexcept {
    const char* const begin = window_ + index_[token] + 1;
    const char* end = window_ + index_[token + 1];
    while (end > begin && end[-1] != '"') --end;  // only spaces follow the closing quote
    return end > begin ? std::string_view(begin, static_cast<std::size_t>(end - 1 - begin)) : std::string_view();
  }
  char* bytes() noexcept { return reinterpret_cast<char*>(buffer_.data()); }
  void load();
  bool fill(std::size_t size);
  void load_window();
  void find_error();
  void end_here(problem);

  text_view text_;
  std::size_t window_size_;
  structural_index structure_{};
  byte_buffer buffer_{};
  std::size_t filled_ = 0;  // number of bytes of the text in the buffer
  const char* window_ = "";
  const std::uint32_t* index_ = nullptr;
  std::size_t at_ = 0, count_ = 0;  // in index_
  std::size_t length_ = 0;          // of the window
  std::uint64_t base_ = 0;          // offset of the window in the text
  bool has_error_after_ = false;    // end_ follows this window
  bool is_at_end_ = false;
  problem end_{};
};

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#include "constant/json/token_source.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <tgmap/constant/errc.hpp>
#include <tgmap/mapping_guard.hpp>
#include <utility>

#include "constant/json/structural_index.hpp"
#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

constexpr std::size_t padding = structural_index::padding;
constexpr std::uint32_t end_index[] = {0, 0};

/// A `text_error` is the first error in a text that simdjson rejects.
struct text_error {
  std::size_t offset = 0;
  std::size_t valid_size = 0;  ///< number of bytes before it that consist of whole tokens
  const char* expected = "";
  std::string found{};
};

std::string byte_text(char c) {
  const auto digits = core::hex_digits(static_cast<std::uint8_t>(c));
  return "the byte 0x" + std::string(digits.data(), digits.size());
}

/// Finds the first control character in a string, invalid UTF-8, or a string without an end.
/// Complexity: O(text).
text_error find_error(std::string_view text) {
  bool in_string = false;
  std::size_t begin = 0;  // of the string
  const auto valid_before = [&](std::size_t i) { return in_string ? begin : i; };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      const std::size_t length = core::first_code_point(text.substr(i)).size;
      if (length == 0) return {i, valid_before(i), "UTF-8", byte_text(c)};
      i += length;
      continue;
    }
    if (in_string && static_cast<unsigned char>(c) < 0x20)
      return {i, begin, "an escaped control character", byte_text(c)};
    if (c == '"') {
      in_string = !in_string;
      begin = i;
    } else if (c == '\\' && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) >= 0x20 &&
               static_cast<unsigned char>(text[i + 1]) < 0x80) {
      ++i;  // an escaped quote does not end the string
    }
    ++i;
  }
  if (in_string) return {begin, begin, "a string with an end", "the end of the text"};
  return {0, 0, "JSON", "something else"};
}

}  // namespace

struct token_source::window_buffer {
  structural_index index{};
  char* bytes = nullptr;
  std::size_t capacity = 0;  // without the padding
  std::size_t filled = 0;    // bytes of the text in the buffer
  ~window_buffer() { std::free(bytes); }

  void grow(std::size_t size) {
    if (size <= capacity) return;
    auto* moved = static_cast<char*>(std::realloc(bytes, size + padding));
    if (moved == nullptr) throw std::bad_alloc();
    bytes = moved;
    capacity = size;
    index.reserve(capacity);
  }
};

token_source::token_source(text_view text, std::size_t window, std::uint64_t from)
    : text_(text), window_size_(window), buffer_(std::make_unique<window_buffer>()), base_(from) {
  load();
}

token_source::~token_source() = default;

/// Copies bytes until the buffer has `size` bytes of the text, or all that are left. Returns false on an error.
bool token_source::fill(std::size_t size) {
  window_buffer& in = *buffer_;
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, text_.size - base_));
  in.grow(size);
  const auto copy = [&]() noexcept {
    std::memcpy(in.bytes + in.filled, text_.data + base_ + in.filled, size - in.filled);
  };
  if (!text_.is_mapped) {
    if (size > in.filled) copy();
  } else if (const failure why = mapping_guard::run(copy)) {
    end_here({.why = why, .offset = base_});
    return false;
  }
  in.filled = size;
  return true;
}

void token_source::load() {
  if (is_at_end_) {
    at_ = 0;
    return;
  }
  for (;;) {
    base_ += length_;
    length_ = 0;
    at_ = count_ = 0;
    if (has_error_after_) return end_here(std::move(end_));
    if (base_ == text_.size) return end_here({.offset = base_});
    buffer_->filled = 0;
    index_window();
    if (is_at_end_ || count_ != 0) return;
  }
}

/// Finds the tokens of the window at base_. The window grows until it has the end of its last string.
void token_source::index_window() {
  window_buffer& in = *buffer_;
  constexpr std::size_t max_size = std::size_t{1} << 32;
  for (std::size_t size = window_size_;; size *= 2) {
    const bool is_largest = size >= max_size;
    if (is_largest) size = max_size - 2 * padding;
    if (!fill(size)) return;
    length_ = in.filled;
    if (base_ + length_ != text_.size) {
      const void* comma = memrchr(in.bytes, ',', length_);
      length_ = comma == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(comma) - in.bytes) + 1;
    }
    if (length_ != 0) {
      // Spaces replace the bytes after the window. They are restored for a longer window.
      char overwritten[padding];
      std::memcpy(overwritten, in.bytes + length_, padding);
      std::memset(in.bytes + length_, ' ', padding);
      const auto result = in.index.find(in.bytes, length_);
      if (result == structural_index::status::found || result == structural_index::status::no_tokens) {
        count_ = in.index.size();
        break;
      }
      const bool is_last = base_ + length_ == text_.size;
      if (result != structural_index::status::unclosed_string || is_last) return end_before_error();
      std::memcpy(in.bytes + length_, overwritten, padding);
    }
    if (is_largest)
      return end_here({.why = {.code = errc::too_large, .offset = base_, .expected = max_size},
                       .offset = base_,
                       .expected = "strings below 4 GiB",
                       .found = "a longer one"});
  }
  window_ = in.bytes;
  index_ = in.index.offsets();
}

/// Ends the window before its first error, which follows as the end.
void token_source::end_before_error() {
  window_buffer& in = *buffer_;
  const text_error error = find_error({in.bytes, length_});
  end_ = {.why = {.code = errc::bad_json, .offset = base_ + error.offset},
          .offset = base_ + error.offset,
          .expected = error.expected,
          .found = error.found};
  has_error_after_ = true;
  length_ = error.valid_size;
  std::memset(in.bytes + length_, ' ', padding);
  window_ = in.bytes;
  if (length_ != 0 && in.index.find(in.bytes, length_) == structural_index::status::found) count_ = in.index.size();
  index_ = in.index.offsets();
}

void token_source::end_here(token_end end) {
  end_ = std::move(end);
  is_at_end_ = true;
  window_ = "";
  index_ = end_index;
  at_ = 0;
  count_ = 1;
  length_ = 0;
  base_ = end_.offset;
}

void token_source::seek(std::uint64_t offset) {
  if (!is_at_end_ && offset >= base_ && offset < base_ + length_) {
    const auto* found = std::lower_bound(index_, index_ + count_, static_cast<std::uint32_t>(offset - base_));
    at_ = static_cast<std::size_t>(found - index_);
    if (at_ >= count_) load();
    return;
  }
  is_at_end_ = has_error_after_ = false;
  base_ = offset;
  length_ = 0;
  load();
}

std::string_view token_source::raw_string_ahead(std::size_t tokens) const noexcept {
  if (tokens >= left_in_window() || window_[index_[at_ + tokens]] != '"') return {};
  return quoted_bytes(window_ + index_[at_ + tokens], window_ + index_[at_ + tokens + 1]);
}

std::string_view token_source::scalar() const noexcept {
  const char* begin = current();
  const char* end = begin;
  while (end < window_end() && !is_terminator(*end)) ++end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap

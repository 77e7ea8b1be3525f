// SPDX-License-Identifier: Apache-2.0
#include "constant/json/token_source.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

constexpr std::size_t padding = structural_index::padding;
constexpr std::uint64_t max_string = std::uint64_t{1} << 32;
constexpr std::size_t max_window = max_string - 2 * padding;
constexpr std::uint32_t end_index[] = {0, 0};

}  // namespace

/// Copies the text until the buffer has `size` bytes of it, or all that are left. Returns false on an error.
bool token_source::fill(std::size_t size) {
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, text_.size - base_));
  if (size + padding > buffer_.size() && !buffer_.grow(size + padding - buffer_.size())) throw std::bad_alloc();
  const failure why =
      text_.guard([&]() noexcept { std::memcpy(bytes() + filled_, text_.data + base_ + filled_, size - filled_); });
  if (why) end_here({.cause = {.code = why.code, .offset = base_}});
  filled_ = size;
  return !why;
}

void token_source::load() {
  at_ = 0;
  while (!is_at_end_) {
    base_ += length_;
    length_ = count_ = filled_ = 0;
    if (has_error_after_)
      end_here(std::move(end_));
    else if (base_ == text_.size)
      end_here({.cause = {.offset = base_}});
    else
      load_window();
    if (count_ != 0) return;
  }
}

/// Finds the tokens of the window at base_. The window grows until it has the end of its last string.
void token_source::load_window() {
  for (std::size_t size = window_size_;; size *= 2) {
    size = std::min(size, max_window);
    if (!fill(size)) return;
    const bool is_last = base_ + filled_ == text_.size;
    const void* comma = is_last ? nullptr : memrchr(bytes(), ',', filled_);
    if (is_last || comma != nullptr) {
      length_ = is_last ? filled_ : static_cast<std::size_t>(static_cast<const char*>(comma) - bytes()) + 1;
      filled_ = length_;  // spaces follow, which a longer window replaces
      std::memset(bytes() + length_, ' ', padding);
      const auto result = structure_.find(bytes(), length_);
      if (is_last || result != structural_index::status::unclosed_string) {
        if (result != structural_index::status::valid) find_error();
        break;
      }
    }
    if (size == max_window)
      return end_here({.cause = {.code = errc::too_large, .offset = base_, .expected = max_string},
                       .expected = "strings below 4 GiB",
                       .found = "a longer one"});
  }
  window_ = bytes();
  index_ = structure_.offsets();
  count_ = structure_.size();
}

/// Finds the first error of a window that simdjson rejects: a control character in a string, invalid UTF-8, or a string
/// without an end. Ends the window before it.
/// Complexity: O(window).
void token_source::find_error() {
  const std::string_view text(bytes(), length_);
  const std::size_t valid = core::well_formed_size(text);
  bool in_string = false;
  std::size_t begin = 0, at = 0;  // of the string
  for (; at < valid; ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (in_string && c < 0x20) break;
    if (c == '"') {
      in_string = !in_string;
      begin = at;
    } else if (c == '\\' && at + 1 < valid && static_cast<unsigned char>(text[at + 1]) >= 0x20) {
      ++at;  // an escaped quote does not end the string
    }
  }
  length_ = in_string ? begin : at;
  end_ = {.cause = {.code = errc::bad_json}, .expected = at < valid ? "an escaped control character" : "UTF-8"};
  if (at < text.size()) {
    const auto digits = core::hex_digits(static_cast<std::uint8_t>(text[at]));
    end_.found = "the byte 0x" + std::string(digits.data(), digits.size());
  } else {
    end_.expected = "a string with an end";
    end_.found = "the end of the text";
    at = begin;
  }
  end_.cause.offset = base_ + at;
  has_error_after_ = true;
  std::memset(bytes() + length_, ' ', padding);
  if (length_ != 0) (void)structure_.find(bytes(), length_);
}

void token_source::end_here(problem end) {
  end_ = std::move(end);
  is_at_end_ = true;
  window_ = "";
  index_ = end_index;
  count_ = 1;
  length_ = 0;
  base_ = end_.cause.offset;
}

void token_source::seek(std::uint64_t offset) {
  if (is_at_end_ || offset < base_ || offset >= base_ + length_) {
    is_at_end_ = has_error_after_ = false;
    base_ = offset;
    length_ = 0;
    return load();
  }
  at_ = static_cast<std::size_t>(std::lower_bound(index_, index_ + count_, static_cast<std::uint32_t>(offset - base_)) -
                                 index_);
  if (at_ >= count_) load();
}

std::string_view token_source::scalar() const noexcept {
  const char* const begin = current();
  const char* end = begin;
  while (end < window_ + length_ && !is_terminator(*end)) ++end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap

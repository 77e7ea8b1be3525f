// SPDX-License-Identifier: Apache-2.0
#include "cbor/text.hpp"

#include <algorithm>
#include <cstdint>

#include "cbor/guarded_read.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cbor {

namespace {

/// A `string_pieces` iterates over the pieces of a string. A string of definite length is one piece.
class string_pieces {
 public:
  explicit string_pieces(std::span<const std::byte> item) noexcept : at_(item.data()), end_(item.data() + item.size()) {
    if (item.empty() || !read_head(at_, end_, head_)) return;
    if (head_.major != major::text && head_.major != major::bytes) return;
    is_string_ = true;
    is_indefinite_ = head_.indefinite();
    has_next_ = true;
  }

  bool is_string() const noexcept { return is_string_; }
  bool is_text() const noexcept { return is_string_ && head_.major == major::text; }
  bool is_indefinite() const noexcept { return is_indefinite_; }

  /// Returns false at the end. Malformed pieces end the string, because callers have checked the item.
  bool next(std::span<const std::byte>& out) noexcept {
    if (!has_next_) return false;
    std::uint64_t length = head_.argument;
    if (is_indefinite_) {
      head piece;
      if (!read_head(at_, end_, piece) || piece.is_break() || piece.major != head_.major || piece.indefinite())
        return has_next_ = false;
      length = piece.argument;
    }
    if (length > static_cast<std::uint64_t>(end_ - at_)) return has_next_ = false;
    out = {at_, static_cast<std::size_t>(length)};
    at_ += length;
    has_next_ = is_indefinite_;
    return true;
  }

 private:
  const std::byte* at_;
  const std::byte* end_;
  head head_{};
  bool is_string_ = false, is_indefinite_ = false, has_next_ = false;
};

}  // namespace

std::optional<std::span<const std::byte>> string_contents(std::span<const std::byte> item) noexcept {
  string_pieces all(item);
  std::span<const std::byte> piece;
  if (!all.is_string() || all.is_indefinite() || !all.next(piece)) return std::nullopt;
  return piece;
}

bool any_text_equals(std::span<const std::byte> item, std::string_view wanted) noexcept {
  string_pieces all(item);
  if (!all.is_text()) return false;
  for (std::span<const std::byte> piece; all.next(piece);) {
    const std::string_view here(reinterpret_cast<const char*>(piece.data()), piece.size());
    if (!wanted.starts_with(here)) return false;
    wanted.remove_prefix(here.size());
  }
  return wanted.empty();
}

std::optional<std::size_t> copy_string(std::span<const std::byte> item, std::span<char> out) noexcept {
  string_pieces all(item);
  if (!all.is_string()) return std::nullopt;
  std::size_t size = 0;
  for (std::span<const std::byte> piece; all.next(piece); size += piece.size()) {
    if (size >= out.size()) continue;
    const std::size_t n = std::min(piece.size(), out.size() - size);
    std::transform(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(n),
                   out.begin() + static_cast<std::ptrdiff_t>(size), [](std::byte b) { return static_cast<char>(b); });
  }
  return size;
}

std::string join_string(std::span<const std::byte> item) {
  // Two passes: a guarded read must not allocate.
  const auto size = read_guarded(std::optional<std::size_t>(), [&]() noexcept { return copy_string(item, {}); });
  std::string out(size.value_or(0), '\0');
  const auto copied = read_guarded(std::optional<std::size_t>(), [&]() noexcept { return copy_string(item, out); });
  out.resize(std::min(out.size(), copied.value_or(0)));
  return out;
}

bool is_well_formed(std::string_view text) noexcept { return core::is_utf8(text); }

std::string well_formed(std::string text) {
  std::size_t at = core::well_formed_size(text);
  if (at == text.size()) return text;
  std::string out = text.substr(0, at);
  while (at < text.size()) {
    const std::size_t length = core::first_code_point(std::string_view(text).substr(at)).size;
    if (length == 0) {
      out += "\xef\xbf\xbd";
      ++at;
    } else {
      out.append(text, at, length);
      at += length;
    }
  }
  return out;
}

}  // namespace tgmap::cbor

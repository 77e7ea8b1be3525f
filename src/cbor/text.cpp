// SPDX-License-Identifier: Apache-2.0
#include "cbor/text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cbor/guarded_read.hpp"

namespace tgmap::cbor {

namespace {

/// The pieces of a string item; a string in one piece is its only piece.
class pieces {
 public:
  explicit pieces(std::span<const std::byte> item) noexcept : at_(item.data()), end_(item.data() + item.size()) {
    if (item.empty() || !read_head(at_, end_, head_)) return;
    if (head_.major != major::text && head_.major != major::bytes) return;
    string_ = true;
    many_ = head_.indefinite();
    left_ = true;
  }

  bool string() const noexcept { return string_; }
  bool text() const noexcept { return string_ && head_.major == major::text; }
  bool many() const noexcept { return many_; }

  /// Returns false at the end. Malformed pieces end the string, for callers have checked the item.
  bool next(std::span<const std::byte>& out) noexcept {
    if (!left_) return false;
    std::uint64_t length = head_.argument;
    if (many_) {
      head piece;
      if (!read_head(at_, end_, piece) || piece.is_break() || piece.major != head_.major || piece.indefinite())
        return left_ = false;
      length = piece.argument;
    }
    if (length > static_cast<std::uint64_t>(end_ - at_)) return left_ = false;
    out = {at_, static_cast<std::size_t>(length)};
    at_ += length;
    left_ = many_;
    return true;
  }

 private:
  const std::byte* at_;
  const std::byte* end_;
  head head_{};
  bool string_ = false, many_ = false, left_ = false;
};

/// Returns the length of the UTF-8 sequence at the start of `text` (Unicode 3.9, table 3-7); 0 if it is ill-formed.
std::size_t sequence_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  std::uint8_t low = 0x80, high = 0xbf;  // of the second byte
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  }
  if (length == 0 || text.size() < length || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  return length;
}

/// Returns the length of the longest prefix of `text` that is UTF-8. Nearly all text is ASCII, which is checked eight
/// bytes at a time.
std::size_t well_formed_length(std::string_view text) noexcept {
  constexpr std::uint64_t not_ascii = 0x8080808080808080u;
  std::size_t at = 0;
  while (at < text.size()) {
    if (std::uint64_t eight; text.size() - at >= sizeof(eight)) {
      std::memcpy(&eight, text.data() + at, sizeof(eight));
      if ((eight & not_ascii) == 0) {
        at += sizeof(eight);
        continue;
      }
    }
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace

std::optional<std::span<const std::byte>> string_contents(std::span<const std::byte> item) noexcept {
  pieces all(item);
  std::span<const std::byte> piece;
  if (!all.string() || all.many() || !all.next(piece)) return std::nullopt;
  return piece;
}

bool text_equals(std::span<const std::byte> item, std::string_view wanted) noexcept {
  // Nearly all keys are in one piece, with their length in the first byte.
  constexpr std::size_t longest = 23;
  constexpr unsigned text = static_cast<unsigned>(major::text) << 5;
  if (wanted.size() <= longest && item.size() > wanted.size() &&
      std::to_integer<unsigned>(item[0]) == (text | static_cast<unsigned>(wanted.size())))
    return std::memcmp(item.data() + 1, wanted.data(), wanted.size()) == 0;
  pieces all(item);
  if (!all.text()) return false;
  for (std::span<const std::byte> piece; all.next(piece);) {
    const std::string_view here(reinterpret_cast<const char*>(piece.data()), piece.size());
    if (!wanted.starts_with(here)) return false;
    wanted.remove_prefix(here.size());
  }
  return wanted.empty();
}

std::optional<std::size_t> copy_string(std::span<const std::byte> item, std::span<char> out) noexcept {
  pieces all(item);
  if (!all.string()) return std::nullopt;
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
  // Measured first and then copied: nothing may be allocated while bytes are read that may disappear.
  const auto size = read_guarded(std::optional<std::size_t>(), [&]() noexcept { return copy_string(item, {}); });
  std::string out(size.value_or(0), '\0');
  const auto copied = read_guarded(std::optional<std::size_t>(), [&]() noexcept { return copy_string(item, out); });
  out.resize(std::min(out.size(), copied.value_or(0)));
  return out;
}

bool is_well_formed(std::string_view text) noexcept { return well_formed_length(text) == text.size(); }

std::string well_formed(std::string text) {
  std::size_t at = well_formed_length(text);
  if (at == text.size()) return text;
  std::string out = text.substr(0, at);
  while (at < text.size()) {
    const std::size_t length = sequence_length(std::string_view(text).substr(at));
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

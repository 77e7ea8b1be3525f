// SPDX-License-Identifier: Apache-2.0
#include "validate/cbor/cbor_item.hpp"

#include <bit>
#include <tgmap/dtype.hpp>

namespace tgmap::validation {

const std::byte* cbor_item::skip_long_item(const std::byte* at) noexcept {
  while (std::to_integer<unsigned>(*at) >> 5 == 6) at = head_at(at).end;  // tags
  const unsigned major = std::to_integer<unsigned>(*at) >> 5;
  const head_parts head = head_at(at);
  switch (major) {
    case 2:
    case 3:
      if (!head.is_open) return head.end + head.argument;
      break;
    case 4:
    case 5: {
      const std::byte* inner = head.end;
      if (head.is_open) break;
      for (std::uint64_t n = 0; n < head.argument; ++n) {
        inner = skip(inner);
        if (major == 5) inner = skip(inner);
      }
      return inner;
    }
    default: return head.end;
  }
  const std::byte* inner = head.end;  // pieces, elements or pairs up to a break
  while (*inner != std::byte{0xff}) inner = skip(inner);
  return inner + 1;
}

std::string_view cbor_item::join_pieces(const std::byte* pieces, std::string& storage) {
  storage.clear();
  for (const std::byte* piece = pieces; *piece != std::byte{0xff}; piece = skip(piece)) {
    const head_parts part = head_at(piece);
    storage.append(reinterpret_cast<const char*>(part.end), static_cast<std::size_t>(part.argument));
  }
  return storage;
}

bool cbor_item::is_float() const noexcept {
  const unsigned info = std::to_integer<unsigned>(*at_) & 31;
  return info >= 25 && info <= 27;
}

double cbor_item::float_value() const noexcept {
  const std::uint64_t bits = head().argument;
  switch (std::to_integer<unsigned>(*at_) & 31) {
    case 25: return static_cast<double>(static_cast<float>(float16{static_cast<std::uint16_t>(bits)}));
    case 26: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default: return std::bit_cast<double>(bits);
  }
}

namespace {

template <class T>
int order(const T& a, const T& b) noexcept {
  return a < b ? -1 : b < a ? 1 : 0;
}

}  // namespace

int cbor_item::compare(const cbor_item& other) const {
  cbor_item a = *this, b = other;
  for (; a.major() == 6 && b.major() == 6; a.at_ = a.head().end, b.at_ = b.head().end)
    if (const int tags = order(a.head().argument, b.head().argument); tags != 0) return tags;
  if (a.major() != b.major()) return order(a.major(), b.major());
  switch (a.major()) {
    case 0:
    case 1: return order(a.head().argument, b.head().argument);
    case 2:
    case 3: {
      std::string left, right;
      const std::string_view mine = a.string(left), theirs = b.string(right);
      return mine.size() != theirs.size() ? order(mine.size(), theirs.size()) : mine.compare(theirs);
    }
    case 4:
    case 5: return a.compare_items(b);
    default: break;
  }
  if (a.is_float() && b.is_float())
    return order(std::bit_cast<std::uint64_t>(a.float_value()), std::bit_cast<std::uint64_t>(b.float_value()));
  return a.is_float() || b.is_float() ? order(a.is_float(), b.is_float()) : order(*a.at_, *b.at_);
}

/// Compares the elements of two arrays, or the keys and values of two maps, in order.
int cbor_item::compare_items(const cbor_item& other) const {
  const head_parts mine = head(), theirs = other.head();
  const std::byte *a = mine.end, *b = theirs.end;
  const std::uint64_t each = is_map() ? 2 : 1;
  for (std::uint64_t n = 0;; ++n) {
    const bool a_ends = mine.is_open ? *a == std::byte{0xff} : n / each >= mine.argument;
    const bool b_ends = theirs.is_open ? *b == std::byte{0xff} : n / each >= theirs.argument;
    if (a_ends || b_ends) return order(b_ends, a_ends);
    if (const int items = cbor_item(a).compare(cbor_item(b)); items != 0) return items;
    a = skip(a);
    b = skip(b);
  }
}

cbor_item cbor_item::find(std::string_view key) const {
  cbor_item out;
  std::string storage;
  for_each_pair([&](cbor_item name, cbor_item value) {
    if (name.is_text() && name.text(storage) == key) out = value;
    return true;
  });
  return out;
}

}  // namespace tgmap::validation

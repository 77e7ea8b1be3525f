// SPDX-License-Identifier: Apache-2.0
#include "validate/item.hpp"

#include <bit>
#include <tgmap/dtype.hpp>

namespace tgmap::checks {

const std::byte* item::skip_any(const std::byte* at) noexcept {
  while (std::to_integer<unsigned>(*at) >> 5 == 6) at = head_at(at).behind;  // tags, of which there may be many
  const unsigned major = std::to_integer<unsigned>(*at) >> 5;
  const head_parts head = head_at(at);
  switch (major) {
    case 2:
    case 3:
      if (!head.open) return head.behind + head.argument;
      break;
    case 4:
    case 5: {
      const std::byte* inner = head.behind;
      if (head.open) break;
      for (std::uint64_t n = 0; n < head.argument; ++n) {
        inner = skip(inner);
        if (major == 5) inner = skip(inner);
      }
      return inner;
    }
    default: return head.behind;
  }
  const std::byte* inner = head.behind;  // pieces, elements or pairs up to a break
  while (*inner != std::byte{0xff}) inner = skip(inner);
  return inner + 1;
}

std::string_view item::joined(const std::byte* pieces, std::string& storage) {
  storage.clear();
  for (const std::byte* piece = pieces; *piece != std::byte{0xff}; piece = skip(piece)) {
    const head_parts part = head_at(piece);
    storage.append(reinterpret_cast<const char*>(part.behind), static_cast<std::size_t>(part.argument));
  }
  return storage;
}

bool item::is_float() const noexcept {
  const unsigned info = std::to_integer<unsigned>(*at_) & 31;
  return info >= 25 && info <= 27;
}

double item::wide() const noexcept {
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

int item::compare(const item& other) const {
  item a = *this, b = other;
  for (; a.major() == 6 && b.major() == 6; a.at_ = a.head().behind, b.at_ = b.head().behind)
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
    return order(std::bit_cast<std::uint64_t>(a.wide()), std::bit_cast<std::uint64_t>(b.wide()));
  return a.is_float() || b.is_float() ? order(a.is_float(), b.is_float()) : order(*a.at_, *b.at_);
}

/// The items of two arrays, or the keys and values of two maps, one by one.
int item::compare_items(const item& other) const {
  const head_parts mine = head(), theirs = other.head();
  const std::byte *a = mine.behind, *b = theirs.behind;
  const std::uint64_t each = is_map() ? 2 : 1;
  for (std::uint64_t n = 0;; ++n) {
    const bool a_ends = mine.open ? *a == std::byte{0xff} : n / each >= mine.argument;
    const bool b_ends = theirs.open ? *b == std::byte{0xff} : n / each >= theirs.argument;
    if (a_ends || b_ends) return order(b_ends, a_ends);
    if (const int items = item(a).compare(item(b)); items != 0) return items;
    a = skip(a);
    b = skip(b);
  }
}

item item::find(std::string_view key) const {
  item out;
  std::string storage;
  pairs([&](item name, item value) {
    if (name.is_text() && name.text(storage) == key) out = value;
    return true;
  });
  return out;
}

}  // namespace tgmap::checks

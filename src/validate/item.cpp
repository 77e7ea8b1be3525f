// SPDX-License-Identifier: Apache-2.0
#include "validate/item.hpp"

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

std::string_view item::text(std::string& storage) const {
  if (!is_text()) return {};
  const head_parts all = head();
  if (!all.open) return {reinterpret_cast<const char*>(all.behind), static_cast<std::size_t>(all.argument)};
  storage.clear();
  for (const std::byte* piece = all.behind; *piece != std::byte{0xff}; piece = skip(piece)) {
    const head_parts part = head_at(piece);
    storage.append(reinterpret_cast<const char*>(part.behind), static_cast<std::size_t>(part.argument));
  }
  return storage;
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

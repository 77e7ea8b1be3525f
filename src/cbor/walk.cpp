// SPDX-License-Identifier: Apache-2.0
#include "cbor/walk.hpp"

#include "cbor/head.hpp"
#include "cbor/skip.hpp"

namespace tgmap::cbor {

bool first(std::span<const std::byte> item, cbor_view::cursor& out) noexcept {
  out = {};
  const std::byte* at = item.data();
  const std::byte* const end = item.data() + item.size();
  head container;
  if (at == nullptr || !read_head(at, end, container)) return false;
  if (container.major != major::array && container.major != major::map) return false;
  out.has_key = container.major == major::map;
  out.remaining = container.indefinite() ? until_break : container.argument;
  out.index = UINT64_MAX;  // next() makes it 0
  // Every item takes a byte at least: a count beyond that is a lie, and could be mistaken for an open length.
  const auto most = static_cast<std::uint64_t>(end - at) / (out.has_key ? 2 : 1);
  if (!container.indefinite() && container.argument > most) {
    out.is_malformed = true;
    out.remaining = 0;
  }
  out.rest = at;
  out.end = end;
  return true;
}

bool next(cbor_view::cursor& s) noexcept {
  if (s.remaining == 0 || s.is_malformed) return false;
  if (s.remaining == until_break && s.rest != s.end && *s.rest == break_byte) {
    s.remaining = 0;
    return false;
  }
  const std::byte* at = s.rest;
  if (s.has_key) {
    const std::byte* const behind = skip(at, s.end);
    if (behind == nullptr) return !(s.is_malformed = true);
    s.key = cbor_view({at, behind});
    at = behind;
  }
  const std::byte* const behind = skip(at, s.end);
  if (behind == nullptr) return !(s.is_malformed = true);
  s.value = cbor_view({at, behind});
  s.rest = behind;
  ++s.index;
  if (s.remaining != until_break) --s.remaining;
  return true;
}

}  // namespace tgmap::cbor

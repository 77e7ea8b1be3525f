// SPDX-License-Identifier: Apache-2.0
#include "cbor/map_pairs.hpp"

#include "cbor/skip.hpp"
#include "cbor/usual.hpp"

namespace tgmap::cbor {

key_place place_of(std::span<const std::byte> map, std::string_view key) noexcept {
  key_place out;
  const std::byte* const begin = map.data();
  const std::byte* const end = begin + map.size();
  const std::byte* at = begin;
  const auto offset = [begin](const std::byte* place) { return static_cast<std::size_t>(place - begin); };
  head container;
  if (at == nullptr || !read_head(at, end, container) || container.major != major::map) return out;
  out.pairs = container.argument;
  out.body = offset(at);
  for (std::uint64_t left = out.pairs; left > 0; --left) {
    const std::byte* const key_at = at;
    bool before = false;
    if (const auto text = usual_text(at, end)) {
      before = key_before(*text, key);
      out.there = *text == key;
    } else {
      if (at == end) break;
      before = std::to_integer<unsigned>(*at) >> 5 < static_cast<unsigned>(major::text);
      at = before ? skip(at, end) : at;
    }
    if (!before && !out.there) {
      at = key_at;
      break;
    }
    const std::byte* const value = at;
    at = at == nullptr ? nullptr : skip(at, end);
    if (at == nullptr) {
      at = end;
      out.there = false;
      break;
    }
    if (!out.there) continue;
    out.at = offset(key_at);
    out.value = offset(value);
    out.end = offset(at);
    return out;
  }
  out.at = out.value = out.end = offset(at);
  return out;
}

bool find_among_text_keys(std::span<const std::byte> map, std::string_view key, key_place& out) noexcept {
  out = {};
  const std::byte* const begin = map.data();
  const std::byte* const end = begin + map.size();
  const std::byte* at = begin;
  const auto offset = [begin](const std::byte* place) { return static_cast<std::size_t>(place - begin); };
  head container;
  if (at == nullptr || !read_head(at, end, container) || container.major != major::map) return false;
  out.pairs = container.argument;
  out.body = out.at = offset(at);
  for (std::uint64_t left = out.pairs; left > 0; --left) {
    const std::byte* const key_at = at;
    const auto text = usual_text(at, end);
    if (!text) return false;
    const std::byte* const value = at;
    at = skip(at, end);
    if (at == nullptr) return false;
    if (key_before(*text, key)) {
      out.at = offset(at);
    } else if (*text == key) {
      out.there = true;
      out.at = offset(key_at);
      out.value = offset(value);
      out.end = offset(at);
    }
  }
  if (!out.there) out.value = out.end = out.at;
  return true;
}

void write_with(writer& to, std::span<const std::byte> map, std::string_view key, std::span<const std::byte> value) {
  write_with(to, map, place_of(map, key), key, value);
}

void write_with(writer& to, std::span<const std::byte> map, const key_place& place, std::string_view key,
                std::span<const std::byte> value) {
  to.map(place.pairs + 1);
  to.encoded(map.subspan(place.body, place.at - place.body));
  to.text(key);
  to.encoded(value);
  to.encoded(map.subspan(place.at));
}

}  // namespace tgmap::cbor

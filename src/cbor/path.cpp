// SPDX-License-Identifier: Apache-2.0
#include "cbor/path.hpp"

#include <charconv>

#include "cbor/text.hpp"
#include "cbor/usual.hpp"
#include "cbor/walk.hpp"

namespace tgmap::cbor {

namespace {

/// Levels that a path is followed down; real files nest to about a hundred.
constexpr unsigned deepest_path = 1024;

std::optional<value> follow(const value& from, std::string_view path, unsigned depth) noexcept;

/// "[3]" at the start of `path`: the index, and what is behind it.
struct subscript {
  std::uint64_t index;
  std::string_view rest;
};

std::optional<subscript> leading_subscript(std::string_view path) noexcept {
  if (!path.starts_with('[')) return std::nullopt;
  subscript out{};
  const char* end = path.data() + path.size();
  const auto [at, code] = std::from_chars(path.data() + 1, end, out.index);
  if (code != std::errc{} || at == path.data() + 1 || at == end || *at != ']') return std::nullopt;
  out.rest = path.substr(static_cast<std::size_t>(at - path.data()) + 1);
  return out;
}

/// What follows a key or a subscript: nothing, more subscripts, or "." and more keys.
std::optional<value> follow_rest(const value& from, std::string_view rest, unsigned depth) noexcept {
  if (rest.empty()) return from;
  if (depth == 0) return std::nullopt;
  if (const auto element = leading_subscript(rest)) {
    const auto found = find_element(from, element->index);
    return found ? follow_rest(*found, element->rest, depth - 1) : std::nullopt;
  }
  if (rest.starts_with('.')) return follow(from, rest.substr(1), depth - 1);
  return std::nullopt;
}

/// Tries the shortest key first, then keys that hold dots or brackets. One walk over the map for each.
std::optional<value> follow(const value& from, std::string_view path, unsigned depth) noexcept {
  if (depth == 0) return std::nullopt;
  for (std::size_t cut = 0; cut < path.size();) {
    while (cut < path.size() && path[cut] != '.' && path[cut] != '[') ++cut;
    if (const auto found = find_key(from, path.substr(0, cut)))
      if (const auto result = follow_rest(*found, path.substr(cut), depth)) return result;
    ++cut;
  }
  return path.empty() ? find_key(from, path) : std::nullopt;
}

std::optional<value> find_key_step_by_step(const value& map, std::string_view key) noexcept {
  std::optional<value> found;
  value::step s;
  if (!first(map.tail(), s) || !s.has_key) return found;
  while (next(s))
    if (text_equals(s.key.tail(), key)) found = s.item;
  return found;
}

}  // namespace

std::optional<value> find_key(const value& map, std::string_view key) noexcept {
  const auto bytes = map.tail();
  const std::byte* at = bytes.data();
  const std::byte* const end = at + bytes.size();
  head container;
  if (at == nullptr || !read_head(at, end, container) || container.major != major::map) return std::nullopt;
  // Counts that are no count, or a lie, are for those who know every form.
  if (container.indefinite() || container.argument > static_cast<std::uint64_t>(end - at) / 2)
    return find_key_step_by_step(map, key);
  std::optional<value> found;
  for (std::uint64_t left = container.argument; left > 0; --left) {
    const std::byte* const key_at = at;
    bool same = false;
    if (const auto text = usual_text(at, end)) {
      same = *text == key;
    } else {
      at = pass(key_at, end);
      if (at == nullptr) return found;
      same = text_equals({key_at, at}, key);
    }
    const std::byte* const item = at;
    at = pass(item, end);
    if (at == nullptr) return found;
    if (same) found = value({item, at});
  }
  return found;
}

std::optional<value> find_element(const value& array, std::uint64_t i) noexcept {
  value::step s;
  if (!first(array.tail(), s) || s.has_key) return std::nullopt;
  while (next(s))
    if (s.index == i) return s.item;
  return std::nullopt;
}

std::optional<value> find_path(const value& from, std::string_view path) noexcept {
  if (leading_subscript(path))
    if (const auto element = follow_rest(from, path, deepest_path)) return element;
  return follow(from, path, deepest_path);
}

}  // namespace tgmap::cbor

// SPDX-License-Identifier: Apache-2.0
#include "cbor/canonical/canonical_map.hpp"

#include <algorithm>
#include <functional>

#include "cbor/canonical/canonical.hpp"
#include "cbor/canonical/writer.hpp"
#include "cbor/head.hpp"
#include "cbor/path.hpp"
#include "cbor/text.hpp"
#include "cbor/walk.hpp"
#include "wire/bytes.hpp"

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
    if (const auto text = read_flat_text(at, end)) {
      before = key_before(*text, key);
      out.is_present = *text == key;
    } else {
      if (at == end) break;
      before = std::to_integer<unsigned>(*at) >> 5 < static_cast<unsigned>(major::text);
      at = before ? skip(at, end) : at;
    }
    if (!before && !out.is_present) {
      at = key_at;
      break;
    }
    const std::byte* const value = at;
    at = at == nullptr ? nullptr : skip(at, end);
    if (at == nullptr) {
      at = end;
      out.is_present = false;
      break;
    }
    if (!out.is_present) continue;
    out.offset = offset(key_at);
    out.value = offset(value);
    out.end = offset(at);
    return out;
  }
  out.offset = out.value = out.end = offset(at);
  return out;
}

bool find_in_text_map(std::span<const std::byte> map, std::string_view key, key_place& out) noexcept {
  out = {};
  const std::byte* const begin = map.data();
  const std::byte* const end = begin + map.size();
  const std::byte* at = begin;
  const auto offset = [begin](const std::byte* place) { return static_cast<std::size_t>(place - begin); };
  head container;
  if (at == nullptr || !read_head(at, end, container) || container.major != major::map) return false;
  out.pairs = container.argument;
  out.body = out.offset = offset(at);
  for (std::uint64_t left = out.pairs; left > 0; --left) {
    const std::byte* const key_at = at;
    const auto text = read_flat_text(at, end);
    if (!text) return false;
    const std::byte* const value = at;
    at = skip(at, end);
    if (at == nullptr) return false;
    if (key_before(*text, key)) {
      out.offset = offset(at);
    } else if (*text == key) {
      out.is_present = true;
      out.offset = offset(key_at);
      out.value = offset(value);
      out.end = offset(at);
    }
  }
  if (!out.is_present) out.value = out.end = out.offset;
  return true;
}

void write_with(writer& writer, std::span<const std::byte> map, std::string_view key,
                std::span<const std::byte> value) {
  write_with(writer, map, place_of(map, key), key, value);
}

void write_with(writer& writer, std::span<const std::byte> map, const key_place& place, std::string_view key,
                std::span<const std::byte> value) {
  writer.map(place.pairs + 1);
  writer.encoded(map.subspan(place.body, place.offset - place.body));
  writer.text(key);
  writer.encoded(value);
  writer.encoded(map.subspan(place.offset));
}

namespace {

/// Checks if a key ends like "[0]". That names an element, which set_path() does not create.
bool names_element(std::string_view key) noexcept {
  if (!key.ends_with(']')) return false;
  const std::size_t open = key.rfind('[');
  if (open == std::string_view::npos || open + 2 == key.size()) return false;
  const std::string_view digits = key.substr(open + 1, key.size() - open - 2);
  return std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The keys of a path, separated by dots.
class path_keys {
 public:
  explicit path_keys(std::string_view path) noexcept : rest_(path) {}

  bool more() const noexcept { return more_; }
  std::string_view next() noexcept {
    const std::size_t dot = rest_.find('.');
    const std::string_view key = rest_.substr(0, dot);
    more_ = dot != std::string_view::npos;
    if (more_) rest_.remove_prefix(dot + 1);
    return key;
  }

 private:
  std::string_view rest_;
  bool more_ = true;
};

/// Writes `item` inside one map for each key.
void write_nested(writer& writer, path_keys keys, std::span<const std::byte> item) {
  while (keys.more()) {
    writer.map(1);
    writer.text(keys.next());
  }
  writer.encoded(item);
}

std::size_t offset_in(const std::vector<std::byte>& all, const cbor_view& part) noexcept {
  return static_cast<std::size_t>(part.bytes_to_end().data() - all.data());
}

/// Returns the end of an item in canonical form.
const std::byte* end_of(const cbor_view& item) noexcept {
  return skip(item.bytes_to_end().data(), item.bytes_to_end().data() + item.bytes_to_end().size());
}

/// Replaces an item by another one, which must not be part of `all`.
void replace(std::vector<std::byte>& all, std::size_t begin, std::size_t end, std::span<const std::byte> by) {
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(begin),
             item_end = all.begin() + static_cast<std::ptrdiff_t>(end);
  if (by.size() > end - begin) {
    const auto first = by.subspan(0, end - begin), rest = by.subspan(end - begin);
    const auto more = all.insert(item_end, rest.begin(), rest.end());
    std::copy(first.begin(), first.end(), more - static_cast<std::ptrdiff_t>(first.size()));
  } else {
    all.erase(std::copy(by.begin(), by.end(), at), item_end);
  }
}

bool is_part_of(const std::vector<std::byte>& all, std::span<const std::byte> part) noexcept {
  return !std::less<>()(part.data(), all.data()) && std::less<>()(part.data(), all.data() + all.size());
}

/// Returns the first item of the pair or element whose value is `item`.
const std::byte* begin_of_entry(const cbor_view& container, const cbor_view& item) noexcept {
  cbor_view::cursor at;
  if (!first(container.bytes_to_end(), at)) return nullptr;
  while (next(at))
    if (at.value.bytes_to_end().data() == item.bytes_to_end().data())
      return (at.has_key ? at.key : at.value).bytes_to_end().data();
  return nullptr;
}

/// Sets the item at a path.
failure set_item(std::vector<std::byte>& map, std::string_view path, const path_match& match,
                 std::span<const std::byte> item) {
  const std::span<const std::byte> all(map);
  const path_keys missing(match.found ? std::string_view() : path.substr(match.rest));
  std::size_t levels = match.depth + nesting_depth(item);
  if (!match.found)
    for (path_keys keys = missing; keys.more(); ++levels)
      if (names_element(keys.next())) return {.code = errc::bad_key};
  if (levels > max_nesting) return {.code = errc::cbor_too_deep, .expected = max_nesting};

  const cbor_view there = match.found ? *match.found : match.nearest;
  const std::size_t begin = offset_in(map, there), end = static_cast<std::size_t>(end_of(there) - map.data());
  if (match.found && !is_part_of(map, item)) {
    replace(map, begin, end, item);
    return {};
  }
  std::vector<std::byte> out;
  out.reserve(map.size() + item.size() + path.size() + 16);
  writer to(out);
  to.encoded(all.first(begin));
  if (match.found) {
    to.encoded(item);
  } else if (there.kind() == cbor_kind::map) {
    path_keys keys = missing;
    const std::string_view key = keys.next();
    std::vector<std::byte> nested;
    if (keys.more()) {
      writer inside(nested);
      write_nested(inside, keys, item);
      item = nested;
    }
    write_with(to, all.subspan(begin, end - begin), key, item);
  } else {
    write_nested(to, missing, item);
  }
  to.encoded(all.subspan(end));
  map.swap(out);
  return {};
}

}  // namespace

failure set_path(std::vector<std::byte>& map, std::string_view path, std::span<const std::byte> item) {
  if (path.empty() || !is_well_formed(path)) return {.code = errc::bad_key};
  return set_item(map, path, follow_path(cbor_view(map), path), item);
}

failure set_path(std::vector<std::byte>& map, std::string_view path, const item_chooser& choose, bool& changed) {
  if (path.empty() || !is_well_formed(path)) return {.code = errc::bad_key};
  const path_match match = follow_path(cbor_view(map), path);
  const auto item = choose(match.found);
  changed = !match.found || !wire::equal({match.found->bytes_to_end().data(), end_of(*match.found)}, item);
  return changed ? set_item(map, path, match, item) : failure{};
}

bool erase_path(std::vector<std::byte>& map, std::string_view path) {
  const std::span<const std::byte> all(map);
  const path_match match = follow_path(cbor_view(all), path);
  if (!match.found) return false;
  const std::byte* const from = begin_of_entry(match.container, *match.found);
  const std::size_t container = offset_in(map, match.container);
  const std::byte* body = map.data() + container;
  head old;
  if (from == nullptr || !read_head(body, map.data() + map.size(), old)) return false;
  const std::byte* const item_end = end_of(*match.found);
  if (old.argument < 24) {  // the new count fits into the same byte
    const auto begin = map.begin() + (from - map.data()), end = map.begin() + (item_end - map.data());
    map[container] = static_cast<std::byte>(std::to_integer<unsigned>(map[container]) - 1);
    map.erase(begin, end);
    return true;
  }
  std::vector<std::byte> out;
  out.reserve(map.size());
  writer writer(out);
  writer.encoded(all.first(container));
  old.major == major::map ? writer.map(old.argument - 1) : writer.array(old.argument - 1);
  writer.encoded({body, from});
  writer.encoded({item_end, all.data() + all.size()});
  map.swap(out);
  return true;
}

void merge_maps(std::vector<std::byte>& map, std::span<const std::byte> other) {
  std::vector<std::byte> body;
  body.reserve(map.size() + other.size());
  writer to(body);
  std::uint64_t pairs = 0;
  cbor_view::cursor ours, theirs;
  bool more_of_ours = first(map, ours) && next(ours), more_of_theirs = first(other, theirs) && next(theirs);
  for (; more_of_ours || more_of_theirs; ++pairs) {
    const auto our_key = ours.key.bytes_to_end(), their_key = theirs.key.bytes_to_end();
    const bool take_ours = more_of_ours && (!more_of_theirs || encoded_key_before(our_key, their_key));
    const bool same = !take_ours && more_of_ours && !encoded_key_before(their_key, our_key);
    const cbor_view::cursor& taken = take_ours ? ours : theirs;
    to.encoded(taken.key.bytes_to_end());
    to.encoded(taken.value.bytes_to_end());
    if (take_ours || same) more_of_ours = next(ours);
    if (!take_ours) more_of_theirs = next(theirs);
  }
  std::vector<std::byte> out;
  out.reserve(body.size() + head_size(pairs));
  writer whole(out);
  whole.map(pairs);
  whole.encoded(body);
  map.swap(out);
}

}  // namespace tgmap::cbor

// SPDX-License-Identifier: Apache-2.0
// Walking CBOR where it lies: containers, keys and paths. Scalars are in scalar.cpp.
#include <tgmap/value.hpp>

#include <charconv>

#include "cbor/look.hpp"
#include "cbor/skip.hpp"
#include "cbor/text.hpp"
#include "cbor/walk.hpp"

namespace tgmap {
inline namespace v0 {

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
    const auto found = from.at(element->index);
    return found ? follow_rest(*found, element->rest, depth - 1) : std::nullopt;
  }
  if (rest.starts_with('.')) return follow(from, rest.substr(1), depth - 1);
  return std::nullopt;
}

/// Tries the shortest key first, then keys that hold dots or brackets. One walk over the map for each.
std::optional<value> follow(const value& from, std::string_view path, unsigned depth) noexcept {
  if (depth == 0 || from.type() != kind::map) return std::nullopt;
  for (std::size_t cut = 0; cut < path.size();) {
    cut = std::min(path.find_first_of(".[", cut), path.size());
    if (const auto found = from.find(path.substr(0, cut)))
      if (const auto result = follow_rest(*found, path.substr(cut), depth)) return result;
    ++cut;
  }
  return path.empty() ? from.find(path) : std::nullopt;
}

}  // namespace

kind value::type() const noexcept {
  const cbor::head head = cbor::look_at_head(tail());
  switch (head.major) {
    case cbor::major::unsigned_integer:
    case cbor::major::negative_integer: return kind::integer;
    case cbor::major::bytes: return kind::bytes;
    case cbor::major::text: return kind::text;
    case cbor::major::array: return kind::array;
    case cbor::major::map: return kind::map;
    case cbor::major::tag: return kind::tag;
    case cbor::major::simple: break;
  }
  if (head.info >= cbor::float_half && head.info <= cbor::float_double) return kind::floating;
  if (head.info == cbor::simple_false || head.info == cbor::simple_true) return kind::boolean;
  return kind::null;
}

bool value::first(step& out) const noexcept {
  return cbor::looked(false, [&]() noexcept { return cbor::first(tail(), out); });
}

bool value::next(step& s) noexcept {
  step after = s;
  const bool there = cbor::looked(false, [&]() noexcept { return cbor::next(after); });
  if (!there && !after.malformed && after.left != 0) after.malformed = true;  // lost on the way
  s = after;
  return there;
}

std::uint64_t value::size() const noexcept {
  return cbor::looked(std::uint64_t{0}, [&]() noexcept {
    step s;
    if (!cbor::first(tail(), s)) return std::uint64_t{0};
    if (s.left != cbor::until_break) return s.left;
    std::uint64_t n = 0;
    while (cbor::next(s)) ++n;
    return n;
  });
}

std::optional<value> value::find(std::string_view key) const noexcept {
  return cbor::looked(std::optional<value>(), [&]() noexcept {
    std::optional<value> found;
    step s;
    if (!cbor::first(tail(), s) || !s.has_key) return found;
    while (cbor::next(s))
      if (cbor::text_equals(s.key.tail(), key)) found = s.item;  // repeated keys: the last one wins
    return found;
  });
}

std::optional<value> value::at(std::uint64_t i) const noexcept {
  return cbor::looked(std::optional<value>(), [&]() noexcept {
    step s;
    if (!cbor::first(tail(), s) || s.has_key) return std::optional<value>();
    while (cbor::next(s))
      if (s.index == i) return std::optional(s.item);
    return std::optional<value>();
  });
}

std::optional<value> value::at_path(std::string_view dotted) const noexcept {
  if (leading_subscript(dotted))
    if (const auto element = follow_rest(*this, dotted, deepest_path)) return element;
  return follow(*this, dotted, deepest_path);
}

std::optional<std::uint64_t> value::tag() const noexcept {
  const cbor::head head = cbor::look_at_head(tail());
  return head.major == cbor::major::tag ? std::optional(head.argument) : std::nullopt;
}

value value::untagged() const noexcept {
  return cbor::looked(*this, [&]() noexcept {
    const std::byte* at = at_;
    cbor::head head;
    if (at == nullptr || !cbor::read_head(at, end_, head) || head.major != cbor::major::tag) return *this;
    return value({at, end_});
  });
}

std::span<const std::byte> value::bytes() const noexcept {
  if (at_ == nullptr) return {};
  const std::byte* const behind =
      cbor::looked<const std::byte*>(nullptr, [&]() noexcept { return cbor::skip(at_, end_); });
  if (behind == nullptr) return {};
  return {at_, behind};
}

}  // namespace v0
}  // namespace tgmap

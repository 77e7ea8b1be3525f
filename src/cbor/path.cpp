// SPDX-License-Identifier: Apache-2.0
#include "cbor/path.hpp"

#include <charconv>

#include "cbor/text.hpp"
#include "cbor/walk.hpp"

namespace tgmap::cbor {

namespace {

/// Maximum depth of a path; real files nest to about a hundred.
constexpr unsigned max_path_depth = 1024;

/// A `subscript` is "[3]" at the start of a path: the index, and the rest of the path.
struct subscript {
  std::uint64_t index;
  std::string_view rest;
};

std::optional<subscript> read_subscript(std::string_view path) noexcept {
  if (!path.starts_with('[')) return std::nullopt;
  subscript out{};
  const char* end = path.data() + path.size();
  const auto [at, code] = std::from_chars(path.data() + 1, end, out.index);
  if (code != std::errc{} || at == path.data() + 1 || at == end || *at != ']') return std::nullopt;
  out.rest = path.substr(static_cast<std::size_t>(at - path.data()) + 1);
  return out;
}

/// Tries all ways to split a path into keys.
class path_follower {
 public:
  path_follower(const cbor_view& value, std::string_view path) noexcept : path_(path) { out_.nearest = value; }

  path_match run() noexcept {
    const cbor_view value = out_.nearest;
    if (!read_subscript(path_) || !follow_after_key(value, 0, 0)) follow(value, 0, 0);
    return out_;
  }

 private:
  /// Follows what comes after a key or a subscript: nothing, more subscripts, or "." and more keys.
  bool follow_after_key(const cbor_view& value, std::size_t rest, unsigned depth) noexcept {
    if (rest == path_.size()) {
      out_.found = value;
      out_.depth = depth;
      return true;
    }
    if (depth == max_path_depth) return false;
    if (const auto element = read_subscript(path_.substr(rest))) {
      const auto found = find_element(value, element->index);
      if (!found || !follow_after_key(*found, path_.size() - element->rest.size(), depth + 1)) return false;
      if (out_.depth == depth + 1) out_.container = value;
      return true;
    }
    if (path_[rest] != '.') return false;
    if (rest + 1 > out_.rest) {
      out_.nearest = value;
      out_.rest = rest + 1;
      out_.depth = depth;
    }
    return follow(value, rest + 1, depth);
  }

  /// Tries the shortest key first, then keys with dots or brackets. Each takes one walk over the map.
  bool follow(const cbor_view& value, std::size_t begin, unsigned depth) noexcept {
    if (depth == max_path_depth) return false;
    for (std::size_t cut = begin;; ++cut) {
      while (cut < path_.size() && path_[cut] != '.' && path_[cut] != '[') ++cut;
      const auto found = find_key(value, path_.substr(begin, cut - begin));
      if (found && follow_after_key(*found, cut, depth + 1)) {
        if (out_.depth == depth + 1) out_.container = value;
        return true;
      }
      if (cut == path_.size()) return false;
    }
  }

  std::string_view path_;
  path_match out_{};
};

}  // namespace

std::optional<cbor_view> find_key(const cbor_view& map, std::string_view key) noexcept {
  std::optional<cbor_view> found;
  cbor_view::cursor s;
  if (!first(map.bytes_to_end(), s) || !s.has_key) return found;
  while (next(s))
    if (text_equals(s.key.bytes_to_end(), key)) found = s.value;
  return found;
}

std::optional<cbor_view> find_repeated(const cbor_view& map, std::span<const std::string_view> names) noexcept {
  std::uint32_t seen = 0;
  cbor_view::cursor s;
  if (!first(map.bytes_to_end(), s) || !s.has_key) return std::nullopt;
  while (next(s))
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!text_equals(s.key.bytes_to_end(), names[i])) continue;
      if ((seen >> i & 1) != 0) return s.key;
      seen |= std::uint32_t{1} << i;
    }
  return std::nullopt;
}

std::optional<cbor_view> find_element(const cbor_view& array, std::uint64_t i) noexcept {
  cbor_view::cursor s;
  if (!first(array.bytes_to_end(), s) || s.has_key) return std::nullopt;
  while (next(s))
    if (s.index == i) return s.value;
  return std::nullopt;
}

path_match follow_path(const cbor_view& value, std::string_view path) noexcept {
  return path_follower(value, path).run();
}

std::optional<cbor_view> find_path(const cbor_view& value, std::string_view path) noexcept {
  return follow_path(value, path).found;
}

}  // namespace tgmap::cbor

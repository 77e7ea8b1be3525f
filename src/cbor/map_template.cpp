// SPDX-License-Identifier: Apache-2.0
#include "cbor/map_template.hpp"

#include <algorithm>
#include <cstring>

#include "cbor/flat_map_view.hpp"
#include "cbor/head.hpp"

namespace tgmap::cbor {

namespace {

/// Returns the number of bytes that two ranges have in common at their start.
std::size_t common_size(const std::byte* a, const std::byte* b, std::size_t size) noexcept {
  std::size_t at = 0;
  for (std::uint64_t x = 0, y = 0; at + sizeof x <= size; at += sizeof x) {
    std::memcpy(&x, a + at, sizeof x);
    std::memcpy(&y, b + at, sizeof y);
    if (x != y) break;
  }
  while (at < size && a[at] == b[at]) ++at;
  return at;
}

}  // namespace

bool map_template::assign(std::span<const std::byte> bytes, std::uint32_t max_depth) {
  bytes_.clear();
  scalars_.clear();
  changes_.clear();
  matched_ = {};
  flat_map_view top;
  if (!read_flat_map(bytes, max_depth, top)) return false;
  // The last entry ends the map; an empty one is its head.
  const std::size_t size = top.count == 0 ? 1 : top.entries[top.count - 1].end;
  if (size > max_size) return false;
  bytes_.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
  if (find_scalars()) return true;
  bytes_.clear();
  scalars_.clear();
  return false;
}

/// Finds the scalars of the copy, which read_flat_map() has accepted. Returns false if a key is a map or a list.
bool map_template::find_scalars() {
  struct container {
    std::uint64_t items;  ///< to come
    bool is_map;
  };
  const std::byte *at = bytes_.data(), *const end = at + bytes_.size();
  std::vector<container> open;
  head item;
  const auto opens = [&] {
    const bool is_map = item.major == major::map;
    if (is_map || item.major == major::array) open.push_back({item.argument * (is_map ? 2 : 1), is_map});
    return is_map || item.major == major::array;
  };
  if (!read_head(at, end, item) || !opens()) return false;
  while (!open.empty()) {
    container& in = open.back();
    if (in.items == 0) {
      open.pop_back();
      continue;
    }
    const bool is_key = in.is_map && in.items % 2 == 0;
    --in.items;
    const auto begin = static_cast<std::uint32_t>(at - bytes_.data());
    if (!read_head(at, end, item)) return false;
    if (opens()) {
      if (is_key) return false;
      continue;
    }
    if (item.major == major::text || item.major == major::bytes) at += item.argument;
    if (!is_key) scalars_.push_back({begin, static_cast<std::uint32_t>(at - bytes_.data())});
  }
  return true;
}

bool map_template::match(std::span<const std::byte> bytes) {
  changes_.clear();
  matched_ = {};
  if (bytes_.empty()) return false;
  std::size_t at = 0, there = 0;  // what is before them is the same but for the changes
  for (std::size_t next = 0;; ++next) {
    const std::size_t size =
        common_size(bytes_.data() + at, bytes.data() + there, std::min(bytes_.size() - at, bytes.size() - there));
    if (at + size == bytes_.size()) {
      matched_ = bytes.first(there + size);
      return true;
    }
    while (next < scalars_.size() && scalars_[next].end <= at + size) ++next;
    if (next == scalars_.size() || scalars_[next].begin > at + size) return false;
    const std::byte* const begin = bytes.data() + there + (scalars_[next].begin - at);
    const std::byte* const end = skip_flat_scalar(begin, bytes.data() + bytes.size());
    if (end == nullptr) return false;
    changes_.push_back({next, {begin, end}});
    at = scalars_[next].end;
    there = static_cast<std::size_t>(end - bytes.data());
  }
}

std::size_t map_template::offset_in_match(std::size_t offset) const noexcept {
  std::size_t out = offset;
  for (const change& each : changes_) {
    const scalar& from = scalars_[each.scalar];
    if (from.begin >= offset) break;
    out += each.item.size() - (from.end - from.begin);  // modulo 2^64
  }
  return out;
}

bool map_template::has_equal_sizes() const noexcept {
  return std::ranges::all_of(changes_, [&](const change& each) {
    return each.item.size() == scalars_[each.scalar].end - scalars_[each.scalar].begin;
  });
}

void map_template::accept() {
  if (!has_equal_sizes()) {
    std::uint32_t added = 0;  // modulo 2^32
    auto next = changes_.begin();
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
      scalar& each = scalars_[i];
      const std::uint32_t size = each.end - each.begin;
      each.begin += added;
      if (next != changes_.end() && next->scalar == i) {
        added += static_cast<std::uint32_t>(next->item.size()) - size;
        ++next;
      }
      each.end += added;
    }
  }
  bytes_.assign(matched_.begin(), matched_.end());
  changes_.clear();
  matched_ = {};
}

}  // namespace tgmap::cbor

// SPDX-License-Identifier: Apache-2.0
#include "cbor/flat_map_view.hpp"

#include <algorithm>
#include <array>

#include "cbor/head.hpp"

namespace tgmap::cbor {

namespace {

constexpr std::uint32_t max_flat_depth = 8;  ///< nesting; real metadata has two or three levels

/// Checks for the simple values of metadata: false, true, null, undefined, and floating numbers.
bool is_metadata_simple(const head& item) noexcept {
  return (item.info >= simple_false && item.info <= simple_undefined) ||
         (item.info >= float_half && item.info <= float_double);
}

/// Walks over items and counts what each open container still needs.
class walker {
 public:
  walker(std::span<const std::byte> bytes, std::uint32_t max_depth) noexcept
      : begin_(bytes.data()),
        at_(begin_),
        end_(begin_ + bytes.size()),
        max_depth_(std::min(max_depth, max_flat_depth)) {}

  bool pass_map(flat_map_view& out) noexcept {
    head map;
    if (at_ == nullptr || !read_head(at_, end_, map) || map.major != major::map || map.indefinite() ||
        map.argument > flat_map_view::most || max_depth_ == 0)
      return false;
    for (out.count = 0; out.count < map.argument; ++out.count)
      if (!pass_entry(out.entries[out.count])) return false;
    return true;
  }

 private:
  bool pass_entry(flat_map_view::entry& out) noexcept {
    const auto key = read_flat_text(at_, end_);
    if (!key) return false;
    out.key = *key;
    out.begin = static_cast<std::size_t>(at_ - begin_);
    if (!read_head(at_, end_, out.value)) return false;
    out.inside = static_cast<std::size_t>(at_ - begin_);
    if (!pass(out.value)) return false;
    for (head item; depth_ > 0;) {
      std::uint64_t& left = left_[depth_ - 1];
      if (left == 0) {
        --depth_;
        continue;
      }
      --left;
      if (!read_head(at_, end_, item) || !pass(item)) return false;
    }
    out.end = static_cast<std::size_t>(at_ - begin_);
    return true;
  }

  bool pass(const head& item) noexcept {
    switch (item.major) {
      case major::unsigned_integer:
      case major::negative_integer: return true;
      case major::bytes:
      case major::text:
        if (item.indefinite() || item.argument > static_cast<std::uint64_t>(end_ - at_)) return false;
        at_ += item.argument;
        return true;
      case major::array:
      case major::map: return open(item);
      case major::tag: return false;
      case major::simple: break;
    }
    return is_metadata_simple(item);
  }

  bool open(const head& item) noexcept {
    const std::uint64_t each = item.major == major::map ? 2 : 1;
    // The map itself is one level.
    if (item.indefinite() || depth_ + 1 >= max_depth_ || item.argument > static_cast<std::uint64_t>(end_ - at_) / each)
      return false;
    left_[depth_++] = item.argument * each;
    return true;
  }

  const std::byte* begin_;
  const std::byte* at_;
  const std::byte* end_;
  std::uint32_t max_depth_, depth_ = 0;
  std::array<std::uint64_t, max_flat_depth> left_;  // set up to depth_
};

}  // namespace

bool read_flat_map(std::span<const std::byte> bytes, std::uint32_t max_depth, flat_map_view& out) noexcept {
  return walker(bytes, max_depth).pass_map(out);
}

const std::byte* skip_flat_scalar(const std::byte* at, const std::byte* end) noexcept {
  head item;
  if (!read_head(at, end, item)) return nullptr;
  switch (item.major) {
    case major::unsigned_integer:
    case major::negative_integer: return at;
    case major::bytes:
    case major::text:
      return item.indefinite() || item.argument > static_cast<std::uint64_t>(end - at) ? nullptr : at + item.argument;
    case major::array:
    case major::map:
    case major::tag: return nullptr;
    case major::simple: break;
  }
  return is_metadata_simple(item) ? at : nullptr;
}

}  // namespace tgmap::cbor

// SPDX-License-Identifier: Apache-2.0
#include "cbor/canonical/canonical.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "cbor/floating.hpp"
#include "cbor/head.hpp"
#include "cbor/text.hpp"

namespace tgmap::cbor {

namespace {

bool is_shortest(const head& head) noexcept {
  constexpr std::array<std::uint64_t, 4> min_arguments{24, 0x100, 0x10000, 0x100000000};
  return head.info < 24 || head.argument >= min_arguments[head.info - 24u];
}

bool is_canonical_simple(const head& head) noexcept {
  if (head.info < float_half) return head.info >= simple_false && head.info <= simple_null;
  const double number = float_value(head);
  if (head.info == float_half) return !std::isnan(number) || head.argument == canonical_nan;
  if (std::isnan(number) || narrow_float(number, half_format)) return false;
  return head.info == float_single || !narrow_float(number, single_format);
}

/// A `canonical_level` is a container whose end was not reached.
struct canonical_level {
  std::uint64_t items_left;                  ///< items to come
  const std::byte *last_key, *last_key_end;  ///< null: none yet
  const std::byte* item;                     ///< begin of the current item
  bool is_map, expects_value;
};

/// A `canonical_checker` checks one item.
class canonical_checker {
 public:
  explicit canonical_checker(std::span<const std::byte> item) noexcept
      : at_(item.data()), end_(item.data() + item.size()) {}

  bool is_canonical_item() noexcept {
    if (at_ == nullptr) return false;
    do
      if (!check_item()) return false;
    while (depth_ > 0);
    return at_ == end_;
  }

 private:
  bool check_item() noexcept {
    head item;
    if (!read_head(at_, end_, item)) return false;
    if (item.major == major::simple) return is_canonical_simple(item) && complete_item();
    if (item.indefinite() || !is_shortest(item)) return false;
    const auto bytes_left = static_cast<std::uint64_t>(end_ - at_);
    switch (item.major) {
      case major::unsigned_integer:
      case major::negative_integer: return complete_item();
      case major::bytes:
      case major::text: {
        if (item.argument > bytes_left) return false;
        const std::string_view text(reinterpret_cast<const char*>(at_), static_cast<std::size_t>(item.argument));
        at_ += item.argument;
        return (item.major == major::bytes || is_well_formed(text)) && complete_item();
      }
      case major::array: return item.argument <= bytes_left && open_container(item.argument, false);
      case major::map: return item.argument <= bytes_left / 2 && open_container(item.argument * 2, true);
      case major::tag: return open_container(1, false);
      case major::simple: break;
    }
    return true;
  }

  bool open_container(std::uint64_t items, bool map) noexcept {
    if (depth_ == max_nesting) return false;
    if (items == 0) return complete_item();
    levels_[depth_++] = {items, nullptr, nullptr, at_, map, false};
    return true;
  }

  /// Ends an item, and the containers that it completes. Returns false for a key that is out of order.
  bool complete_item() noexcept {
    while (depth_ > 0) {
      canonical_level& in = levels_[depth_ - 1];
      if (in.is_map && !in.expects_value) {
        if (in.last_key != nullptr && !encoded_key_before({in.last_key, in.last_key_end}, {in.item, at_})) return false;
        in.last_key = in.item;
        in.last_key_end = at_;
      }
      in.expects_value = !in.expects_value;
      in.item = at_;
      if (--in.items_left > 0) return true;
      --depth_;
    }
    return true;
  }

  const std::byte* at_;
  const std::byte* end_;
  std::size_t depth_ = 0;
  std::array<canonical_level, max_nesting> levels_;  // deliberately not initialised: set up to depth_
};

}  // namespace

bool is_canonical(std::span<const std::byte> item) noexcept { return canonical_checker(item).is_canonical_item(); }

namespace {

/// Returns the number of items in a container or a tag; nothing for other items.
std::optional<std::uint64_t> items_in(const head& head) noexcept {
  switch (head.major) {
    case major::array: return head.argument;
    case major::map: return head.argument * 2;
    case major::tag: return 1;
    default: return std::nullopt;
  }
}

}  // namespace

std::size_t nesting_depth(std::span<const std::byte> canonical) noexcept {
  std::array<std::uint64_t, max_nesting> items_left;  // items to come in each open container
  std::size_t depth = 0, deepest = 0;
  const std::byte* at = canonical.data();
  const std::byte* const end = at + canonical.size();
  for (head item; at != end && read_head(at, end, item);) {
    if (item.major == major::bytes || item.major == major::text)
      at += std::min(item.argument, static_cast<std::uint64_t>(end - at));
    if (const auto items = items_in(item)) {
      deepest = std::max(deepest, depth + 1);
      if (*items > 0 && depth < max_nesting) {
        items_left[depth++] = *items;
        continue;
      }
    }
    while (depth > 0 && --items_left[depth - 1] == 0) --depth;
  }
  return deepest;
}

}  // namespace tgmap::cbor

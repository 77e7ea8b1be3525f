// SPDX-License-Identifier: Apache-2.0
#include "cbor/walk.hpp"

#include <array>

#include "cbor/head.hpp"

namespace tgmap::cbor {

namespace {

/// Returns the end of the pieces of an indefinite string, after the break.
const std::byte* skip_pieces(const std::byte* at, const std::byte* end, major wanted) noexcept {
  for (head piece; read_head(at, end, piece);) {
    if (piece.is_break()) return at;
    if (piece.major != wanted || piece.indefinite()) return nullptr;
    if (piece.argument > static_cast<std::uint64_t>(end - at)) return nullptr;
    at += piece.argument;
  }
  return nullptr;
}

/// An `indefinite_container` is a container of indefinite length whose end was not reached.
struct indefinite_container {
  std::uint64_t pending_outside;  ///< items that the containers around it still need
  bool map;
  bool expects_value;  ///< a key was the last item
};

/// Skips up to `pending` small numbers and short strings, and subtracts their number from `pending`. Most items are
/// such.
const std::byte* skip_short_items(const std::byte* at, const std::byte* end, std::uint64_t& pending) noexcept {
  for (; pending > 0 && at != end; --pending) {
    const auto first = std::to_integer<std::uint8_t>(*at);
    const std::ptrdiff_t info = first & 31;
    if (info >= 24 || first >> 5 > static_cast<unsigned>(major::text)) break;
    const std::ptrdiff_t size = first >> 5 > static_cast<unsigned>(major::negative_integer) ? 1 + info : 1;
    if (size > end - at) break;
    at += size;
  }
  return at;
}

}  // namespace

const std::byte* skip_any(const std::byte* at, const std::byte* end) noexcept {
  std::array<indefinite_container, max_open_containers> open;  // deliberately not initialised: rarely used
  std::size_t depth = 0;
  std::uint64_t pending = 1;  // items needed at this level; in an indefinite container those of the definite ones in it
  head item;
  for (;;) {
    at = skip_short_items(at, end, pending);
    if (pending == 0) {
      if (depth == 0) return at;
      // In an indefinite container the next item or the break follows.
      if (at == end) return nullptr;
      if (std::to_integer<std::uint8_t>(*at) == 0xff) {
        ++at;
        --depth;
        if (open[depth].map && open[depth].expects_value) return nullptr;
        pending = open[depth].pending_outside;
        continue;
      }
      open[depth - 1].expects_value = !open[depth - 1].expects_value;
      pending = 1;
    }
    if (!read_head(at, end, item)) return nullptr;
    --pending;
    const auto left = static_cast<std::uint64_t>(end - at);
    switch (item.major) {
      case major::unsigned_integer:
        if (item.info >= 24) at = skip_integers_of_width(at, end, item.info, pending);  // tables of offsets
        break;
      case major::negative_integer: break;
      case major::bytes:
      case major::text:
        if (item.indefinite()) {
          at = skip_pieces(at, end, item.major);
          if (at == nullptr) return nullptr;
        } else {
          if (item.argument > left) return nullptr;
          at += item.argument;
        }
        break;
      case major::array:
      case major::map: {
        if (item.indefinite()) {
          if (depth == open.size()) return nullptr;
          open[depth++] = {pending, item.major == major::map, false};
          pending = 0;
          break;
        }
        const std::uint64_t each = item.major == major::map ? 2 : 1;
        if (item.argument > left / each) return nullptr;  // every item takes a byte at least
        pending += item.argument * each;                  // both below 2^63: cannot overflow
        break;
      }
      case major::tag: ++pending; break;
      case major::simple:
        // Simple values below 32 are encoded in one byte only.
        if (item.is_break() || (item.info == 24 && item.argument < 32)) return nullptr;
        break;
    }
  }
}

}  // namespace tgmap::cbor

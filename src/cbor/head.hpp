// SPDX-License-Identifier: Apache-2.0
// The first bytes of a CBOR item (RFC 8949 §3): major type and argument. Checks bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/text/same_text.hpp"
#include "wire/bytes.hpp"

namespace tgmap::cbor {

enum class major : std::uint8_t { unsigned_integer, negative_integer, bytes, text, array, map, tag, simple };

/// Additional information values of major type 7.
enum simple_info : std::uint8_t {
  simple_false = 20,
  simple_true = 21,
  simple_null = 22,
  simple_undefined = 23,
  float_half = 25,
  float_single = 26,
  float_double = 27,
  break_code = 31,
};

/// Ends a string or container of indefinite length.
inline constexpr std::byte break_byte{0xff};

/// Additional information of strings and containers of indefinite length: items follow until a break.
inline constexpr std::uint8_t indefinite_info = 31;

struct head {
  cbor::major major = major::simple;
  std::uint8_t info = 0;
  std::uint64_t argument = 0;  ///< value, length, count, tag number or float bits

  constexpr bool indefinite() const noexcept { return info == indefinite_info && major != major::simple; }
  constexpr bool is_break() const noexcept { return info == break_code && major == major::simple; }
};

/// Reads the head at `at` and moves `at` past it. Returns false if bytes are missing or the head is not well-formed.
[[nodiscard]] constexpr bool read_head(const std::byte*& at, const std::byte* end, head& out) noexcept {
  if (at == end) return false;
  const auto first = std::to_integer<std::uint8_t>(*at);
  out.major = static_cast<major>(first >> 5);
  out.info = first & 31;
  if (out.info < 24) {
    out.argument = out.info;
    ++at;
    return true;
  }
  if (out.info == indefinite_info) {
    out.argument = 0;
    ++at;
    return out.major != major::unsigned_integer && out.major != major::negative_integer && out.major != major::tag;
  }
  if (out.info > 27) return false;
  const std::ptrdiff_t size = std::ptrdiff_t{1} << (out.info - 24);
  if (end - at <= size) return false;
  switch (out.info) {
    case 24: out.argument = wire::load_be<std::uint8_t>(at + 1); break;
    case 25: out.argument = wire::load_be<std::uint16_t>(at + 1); break;
    case 26: out.argument = wire::load_be<std::uint32_t>(at + 1); break;
    default: out.argument = wire::load_be<std::uint64_t>(at + 1); break;
  }
  at += size + 1;
  return true;
}

/// Skips up to `count` integers of the width that `info` states (24 to 27), and subtracts their number from `count`.
/// Faster than read_head, because the end of an integer does not depend on the one before.
inline const std::byte* skip_integers_of_width(const std::byte* at, const std::byte* end, std::uint8_t info,
                                               std::uint64_t& count) noexcept {
  const std::ptrdiff_t size = 1 + (std::ptrdiff_t{1} << (info - 24));
  for (const std::byte first{info}; count != 0 && end - at >= size && *at == first; --count) at += size;
  return at;
}

/// Fast path for text in one piece at `at`, in memory that cannot disappear: reads it and moves `at` past it. Returns
/// nothing for any other form; the caller then uses the general reader. Without it first_touch/large/memory takes 1.3
/// times as long. Flattened: otherwise it depends on the sources compiled with it whether read_head is inlined, which
/// saves 5 % of the instructions of a first view.
[[nodiscard, gnu::flatten]] inline std::optional<std::string_view> read_flat_text(const std::byte*& at,
                                                                                  const std::byte* end) noexcept {
  const std::byte* begin = at;
  head text;
  if (!read_head(begin, end, text) || text.major != major::text || text.indefinite()) return std::nullopt;
  if (text.argument > static_cast<std::uint64_t>(end - begin)) return std::nullopt;
  at = begin + text.argument;
  return std::string_view(reinterpret_cast<const char*>(begin), static_cast<std::size_t>(text.argument));
}

/// Reads an unsigned integer at `at` and moves past it.
[[nodiscard]] inline bool read_unsigned(const std::byte*& at, const std::byte* end, std::uint64_t& out) noexcept {
  head number;
  if (!read_head(at, end, number) || number.major != major::unsigned_integer) return false;
  out = number.argument;
  return true;
}

}  // namespace tgmap::cbor

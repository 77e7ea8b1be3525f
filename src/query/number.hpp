// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>

namespace tgmap::query {

/// A `number` is an integer from -2^64 to 2^64 - 1, or a floating number. Selections compare numbers by their value,
/// whatever type they are stored in.
struct number {
  std::uint64_t magnitude = 0;
  double real = 0;
  bool is_integer = true;
  bool is_negative = false;  ///< of an integer; a magnitude of 0 then means 2^64

  /// 1 or -1 for a decimal number that double cannot hold: it is greater or less than `real`, which is 0 or the last
  /// finite number, and lies before the next double, which may be infinity.
  std::int8_t beyond = 0;

  static number of(std::uint64_t n) noexcept { return {.magnitude = n}; }
  static number of(std::int64_t n) noexcept {
    return n < 0 ? number{.magnitude = std::uint64_t{0} - static_cast<std::uint64_t>(n), .is_negative = true}
                 : of(static_cast<std::uint64_t>(n));
  }
  static number of(double x) noexcept { return {.real = x, .is_integer = false}; }
};

/// Compares exactly: 1 and 1.0 are equivalent, 2^53 and 2^53 + 1 are not. NaN is unordered.
std::partial_ordering compare(const number&, const number&) noexcept;

/// Parses a whole text as a decimal number, with or without an exponent. Returns nothing for "", "nan", "inf", "0x1"
/// and " 1". Numbers beyond the range of double are greater than all finite ones and less than infinity; those too
/// small for it are nearer to 0 than all others, and not 0. Two such numbers are equivalent.
std::optional<number> read_number(std::string_view) noexcept;

/// Returns the digits of a text that read_number accepts, without exponent and without zeros that do not count: "6" for
/// "6.0" and "06". Empty if the exponent is beyond the numbers that are stored. Errors: throws std::bad_alloc.
std::string decimal_digits(std::string_view number);

/// Returns the number of an integer or floating item, and nothing for others.
std::optional<number> number_of(const cbor_view&) noexcept;

}  // namespace tgmap::query

// SPDX-License-Identifier: Apache-2.0
// Numbers as selections compare them: exactly, whatever they are stored as.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tgmap/cbor_view.hpp>

namespace tgmap::select {

/// A whole number between -2^64 and 2^64, or a floating one.
struct number {
  std::uint64_t magnitude = 0;
  double real = 0;
  bool whole = true;
  bool negative = false;  ///< of a whole number; the magnitude is then 2^64 when it is 0

  static number of(std::uint64_t n) noexcept { return {.magnitude = n}; }
  static number of(std::int64_t n) noexcept {
    return n < 0 ? number{.magnitude = std::uint64_t{0} - static_cast<std::uint64_t>(n), .negative = true}
                 : of(static_cast<std::uint64_t>(n));
  }
  static number of(double x) noexcept { return {.real = x, .whole = false}; }
};

/// By value: 1 and 1.0 are equivalent, 2^53 and 2^53 + 1 are not. NaN is unordered.
std::partial_ordering compare(const number&, const number&) noexcept;

/// The text as a number: all of it, decimal, with an exponent or without; nothing for "", "nan", "inf", "0x1", " 1".
std::optional<number> read_number(std::string_view) noexcept;

/// An integer or floating item as a number.
std::optional<number> number_of(const cbor_view&) noexcept;

}  // namespace tgmap::select

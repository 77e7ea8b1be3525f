// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tgmap::query {

/// A `decimal` is a number with all of its digits, as it is written.
struct decimal {
  bool is_negative = false;
  std::string whole = "0";  ///< without zeros at its beginning, but for "0"
  std::string fraction{};   ///< without zeros at its end

  /// Returns nothing for text that is no number, or whose exponent is beyond 400.
  /// Errors: throws std::bad_alloc. Complexity: O(digits).
  static std::optional<decimal> read(std::string_view);
  std::strong_ordering operator<=>(const decimal&) const noexcept;
  bool operator==(const decimal&) const noexcept = default;
};

/// A `number_steps` is the numbers `first`, `first + step` and so on, up to `last`, or down to it if the step is
/// negative. The arithmetic is decimal and exact. The numbers are not listed: there may be any number of them.
class number_steps {
 public:
  /// Returns nothing if one of the three is no number, or if the step is 0, has more than 18 digits between its first
  /// and its last one that are not 0, or more than 400 behind the point. Errors: throws std::bad_alloc.
  static std::optional<number_steps> make(std::string_view first, std::string_view last, std::string_view step);

  /// Returns true if the text is one of the numbers. Errors: throws std::bad_alloc. Complexity: O(digits).
  bool contains(std::string_view number) const;

 private:
  /// A `phase` is the place of a number between two multiples of the step: the remainder of whole units, and the
  /// digits of the rest. A unit is the place of the last digit of the step.
  struct phase {
    std::uint64_t units = 0;
    std::string rest{};
    bool operator==(const phase&) const noexcept = default;
  };
  phase phase_of(const decimal&) const;

  decimal min_{}, max_{};
  std::uint64_t step_ = 1;         ///< in units
  std::ptrdiff_t unit_place_ = 0;  ///< the unit is 10 to the power of this
  phase phase_{};                  ///< of all the numbers
};

}  // namespace tgmap::query

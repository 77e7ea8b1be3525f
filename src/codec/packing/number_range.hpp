// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace tgmap::codec {

/// A `number_range` is the minimum and maximum of the finite numbers that were added.
struct number_range {
  bool any = false;         ///< there are finite numbers
  bool all_finite = true;   ///< there are no others
  double first = 0;         ///< the first finite number
  double min = 0, max = 0;  ///< if `min` is zero, it has the sign of the first zero

  /// Adds numbers, which follow those added before. Uses the fastest kernel of this machine.
  void add(std::span<const double> numbers) noexcept;
  /// Does the same by a plain loop.
  void add_plain(std::span<const double> numbers) noexcept;
};

}  // namespace tgmap::codec

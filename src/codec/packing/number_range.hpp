// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace tgmap::codec {

/// What parameters are computed from.
struct number_range {
  bool any = false;                ///< finite numbers went in
  bool all_finite = true;          ///< and no others
  double first = 0;                ///< finite one
  double least = 0, greatest = 0;  ///< of zeros the sign of `least` is that of the first one

  /// Numbers that follow those that went in before. The fastest kernel of this machine.
  void add(std::span<const double> numbers) noexcept;
  /// The same element by element, on any machine.
  void add_plain(std::span<const double> numbers) noexcept;
};

}  // namespace tgmap::codec

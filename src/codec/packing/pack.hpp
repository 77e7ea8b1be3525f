// SPDX-License-Identifier: Apache-2.0
// Packs numbers by simple_packing (§7.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codec/packing/packing_parameters.hpp"

namespace tgmap::codec {

/// A `packing_rule` maps numbers to integers: `(number - reference) * factor`, with two roundings, then rounded half
/// away from zero and clamped to [0, max], as every writer of the format does.
struct packing_rule {
  double reference, factor;
  double product_end;  ///< products fit if they are above -0.5 and below this
  std::uint64_t max;   ///< the largest integer of `bits` bits
  unsigned bits;

  explicit packing_rule(const packing_parameters&) noexcept;

  double product(double number) const noexcept { return (number - reference) * factor; }
  /// Checks that a number can be packed. Products that exceed the largest integer by a few roundings fit, because the
  /// parameters of writers cause them. With 0 bits only the reference fits. NaN and infinities never fit.
  bool fits(double number) const noexcept;
  std::uint64_t integer(double number) const noexcept;
};

/// Packs numbers into `out`, which has packed_size() bytes; padding bits are 0. Uses the fastest kernel of this
/// machine. Returns false if not all numbers fit.
[[nodiscard]] bool pack(std::span<const double> numbers, const packing_rule&, std::span<std::byte> out) noexcept;

/// Does the same by a plain loop.
[[nodiscard]] bool pack_plain(std::span<const double> numbers, const packing_rule&, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec

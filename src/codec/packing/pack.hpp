// SPDX-License-Identifier: Apache-2.0
// simple_packing (§7.1) forwards. Unpacking is in simple_packing.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codec/packing/packing_parameters.hpp"

namespace tgmap::codec {

/// How numbers become integers of so many bits: `(number - reference) * factor`, two roundings, and that rounded half
/// away from zero; what is below 0 or beyond the greatest integer becomes that, as in every writer of the format.
struct packing_rule {
  double reference, factor;
  double beyond;       ///< the least product that does not fit; less than -0.5 does not either
  std::uint64_t most;  ///< the greatest integer
  unsigned bits;

  explicit packing_rule(const packing_parameters&) noexcept;

  double product(double number) const noexcept { return (number - reference) * factor; }
  /// Products a few roundings beyond the greatest integer come of writers' own parameters, and fit. Of no bits the
  /// reference alone fits. NaN and infinities never do.
  bool fits(double number) const noexcept;
  std::uint64_t integer(double number) const noexcept;
};

/// Packs numbers one behind the other into `out`, which has packed_size() bytes; the bits behind the last are zero.
/// False: not all fit. The fastest kernel of this machine.
[[nodiscard]] bool pack(std::span<const double> numbers, const packing_rule&, std::span<std::byte> out) noexcept;

/// The same element by element, on any machine.
[[nodiscard]] bool pack_plain(std::span<const double> numbers, const packing_rule&, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec

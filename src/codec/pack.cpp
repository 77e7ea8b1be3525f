// SPDX-License-Identifier: Apache-2.0
// Compiled with -ffp-contract=off: a fused multiplication and subtraction rounds once, and other writers round twice.
#include "codec/pack.hpp"

#include <algorithm>
#include <cmath>

#include "codec/bit_packer.hpp"
#include "codec/simple_packing.hpp"

namespace tgmap::codec {

namespace {

/// As a double, which for more than 53 bits is one more: of 64 bits 2^64.
double as_double(std::uint64_t most) noexcept { return static_cast<double>(most); }

}  // namespace

packing_rule::packing_rule(const packing_parameters& with) noexcept
    : reference(with.reference),
      factor(scale_of(-with.binary_scale, -with.decimal_scale)),
      most(with.bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - with.bits)),
      bits(with.bits) {
  beyond = std::max(as_double(most) + 0.5, as_double(most) * (1 + 0x1p-51));
}

bool packing_rule::fits(double number) const noexcept {
  if (bits == 0) return number == reference;
  const double at = product(number);
  return at > -0.5 && at < beyond;
}

std::uint64_t packing_rule::integer(double number) const noexcept {
  const double rounded = std::round(product(number));
  if (!(rounded > 0)) return 0;
  return rounded < as_double(most) ? static_cast<std::uint64_t>(rounded) : most;
}

bool pack_plain(std::span<const double> numbers, const packing_rule& by, std::span<std::byte> out) noexcept {
  bit_packer to(out.data());
  bool all = true;
  for (const double number : numbers) {
    all = all && by.fits(number);
    if (by.bits != 0) to.put(by.integer(number), by.bits);
  }
  to.finish();
  return all;
}

void number_range::add_plain(std::span<const double> numbers) noexcept {
  for (const double number : numbers) {
    if (!std::isfinite(number)) {
      all_finite = false;
      continue;
    }
    if (!any) first = least = greatest = number;
    any = true;
    if (number < least) least = number;
    if (number > greatest) greatest = number;
  }
}

}  // namespace tgmap::codec

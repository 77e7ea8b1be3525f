// SPDX-License-Identifier: Apache-2.0
// Compiled with -ffp-contract=off, as simple_packing.cpp is.
#include "codec/packing_choice.hpp"

#include <cmath>
#include <cstdint>

#include "codec/failures.hpp"
#include "codec/simple_packing.hpp"

namespace tgmap::codec {

namespace {

std::uint64_t size_of(std::int32_t number) noexcept {
  const auto wide = std::int64_t{number};
  return static_cast<std::uint64_t>(wide < 0 ? -wide : wide);
}

/// Towards what fits, and 0 for what is no number, as conversions of the reference go.
std::int32_t saturated(double number) noexcept {
  if (std::isnan(number)) return 0;
  if (number >= 0x1p31) return INT32_MAX;
  return number < -0x1p31 ? INT32_MIN : static_cast<std::int32_t>(number);
}

bool usable(double scale) noexcept { return std::isfinite(scale) && scale != 0; }

}  // namespace

failure check_packing(const packing_parameters& with) noexcept {
  if (with.bits > most_packed_bits) return bad_parameter(with.bits, "sp_bits_per_value");
  if (!std::isfinite(with.reference)) return bad_parameter(0, "sp_reference_value");
  if (size_of(with.binary_scale) > size_of(most_binary_scale))
    return bad_parameter(size_of(with.binary_scale), "sp_binary_scale_factor");
  constexpr std::int32_t most_decimal_scale = 308;  // of a power of ten that is a number
  if (size_of(with.decimal_scale) > size_of(most_decimal_scale))
    return bad_parameter(size_of(with.decimal_scale), "sp_decimal_scale_factor");
  const bool both_ways = usable(scale_of(with.binary_scale, with.decimal_scale)) &&
                         usable(scale_of(-with.binary_scale, -with.decimal_scale));
  return both_ways ? failure{} : bad_parameter(size_of(with.decimal_scale), "sp_decimal_scale_factor");
}

packing_parameters computed_packing(const number_range& of, unsigned bits, std::int32_t decimal_scale) noexcept {
  packing_parameters out{.reference = of.any ? of.first : 0.0, .decimal_scale = decimal_scale, .bits = bits};
  if (!of.any || bits == 0) return out;
  out.reference = of.least;
  const double range = (of.greatest - of.least) * scale_of(0, -decimal_scale);
  const auto most = static_cast<double>(~std::uint64_t{0} >> (64 - bits));
  if (range != 0) out.binary_scale = saturated(std::ceil(std::log2(range / most)));
  return out;
}

std::optional<std::uint64_t> find_inexact(std::span<const double> numbers, const packing_parameters& with,
                                          double most_error) noexcept {
  const packing_rule by(with);
  const double scale = scale_of(with.binary_scale, with.decimal_scale);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) continue;
    const double scaled = with.bits == 0 ? 0 : scale * static_cast<double>(by.integer(numbers[i]));
    if (!(std::abs(numbers[i] - (with.reference + scaled)) <= most_error)) return i;
  }
  return std::nullopt;
}

failure check_packing(const packing_options& how) noexcept {
  if (how.reference.has_value() != how.binary_scale.has_value())
    return bad_parameter(0, "packing::reference, binary_scale");
  if (how.max_error && !(std::isfinite(*how.max_error) && *how.max_error >= 0))
    return bad_parameter(0, "packing_options::max_error");
  packing_parameters with{.decimal_scale = how.decimal_scale, .bits = how.max_error ? 0 : how.bits};
  if (how.reference) with.reference = *how.reference;
  if (how.binary_scale) with.binary_scale = *how.binary_scale;
  return check_packing(with);
}

}  // namespace tgmap::codec

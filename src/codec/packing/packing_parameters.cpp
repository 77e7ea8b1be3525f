// SPDX-License-Identifier: Apache-2.0
#include "codec/packing/packing_parameters.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/failures.hpp"
#include "codec/named_entries.hpp"
#include "codec/packing/pack.hpp"
#include "codec/packing/unpack.hpp"

namespace tgmap::codec {

namespace {

enum place : std::size_t { reference_value, binary_scale_factor, decimal_scale_factor, bits_per_value, places };

/// The keys written since 0.19, then those written before.
constexpr std::array<std::string_view, 2 * places> names{
    "sp_reference_value", "sp_binary_scale_factor", "sp_decimal_scale_factor", "sp_bits_per_value",
    "reference_value",    "binary_scale_factor",    "decimal_scale_factor",    "bits_per_value"};

using entries = named_entries<names.size()>;

failure unusable(std::uint64_t found, place which) noexcept { return bad_parameter(found, names[which].data()); }

/// Returns the entry under the newer key, else under the older one.
const std::optional<cbor_view>& entry_of(const entries& from, place which) noexcept {
  return from[which] ? from[which] : from[places + which];
}

failure read_scale(const entries& from, place which, std::int32_t& out) noexcept {
  const auto& entry = entry_of(from, which);
  const auto number = entry ? entry->get<std::int64_t>() : std::nullopt;
  if (!number) return unusable(0, which);
  if (*number < INT32_MIN || *number > INT32_MAX) return unusable(static_cast<std::uint64_t>(*number), which);
  out = static_cast<std::int32_t>(*number);
  return {};
}

}  // namespace

failure read_packing_parameters(const descriptor& descriptor, packing_parameters& out) noexcept {
  const entries from(descriptor.entries, names);
  const auto& reference = entry_of(from, reference_value);
  auto number = reference ? reference->get<double>() : std::nullopt;
  if (reference && !number)
    if (const auto whole = reference->get<std::int64_t>()) number = static_cast<double>(*whole);
  if (!number || !std::isfinite(*number)) return unusable(0, reference_value);
  out.reference = *number;
  if (failure why = read_scale(from, binary_scale_factor, out.binary_scale)) return why;
  if (failure why = read_scale(from, decimal_scale_factor, out.decimal_scale)) return why;
  const auto& bits = entry_of(from, bits_per_value);
  const auto width = bits ? bits->get<std::uint64_t>() : std::nullopt;
  if (!width) return unusable(0, bits_per_value);
  if (*width > 64) return unusable(*width, bits_per_value);
  out.bits = static_cast<unsigned>(*width);
  return {};
}

// Compiled with -ffp-contract=off, like pack.cpp and unpack.cpp.

namespace {

std::uint64_t size_of(std::int32_t number) noexcept {
  const auto wide = std::int64_t{number};
  return static_cast<std::uint64_t>(wide < 0 ? -wide : wide);
}

/// Clamps to the range of the type; NaN becomes 0, as in the conversions of the reference.
std::int32_t saturated(double number) noexcept {
  if (std::isnan(number)) return 0;
  if (number >= 0x1p31) return INT32_MAX;
  return number < -0x1p31 ? INT32_MIN : static_cast<std::int32_t>(number);
}

bool usable(double scale) noexcept { return std::isfinite(scale) && scale != 0; }

}  // namespace

failure check_packing(const packing_parameters& with) noexcept {
  if (with.bits > max_packed_bits) return bad_parameter(with.bits, "sp_bits_per_value");
  if (!std::isfinite(with.reference)) return bad_parameter(0, "sp_reference_value");
  if (size_of(with.binary_scale) > size_of(max_binary_scale))
    return bad_parameter(size_of(with.binary_scale), "sp_binary_scale_factor");
  constexpr std::int32_t max_decimal_scale = 308;  // the largest finite power of ten
  if (size_of(with.decimal_scale) > size_of(max_decimal_scale))
    return bad_parameter(size_of(with.decimal_scale), "sp_decimal_scale_factor");
  const bool both_ways = usable(scale_of(with.binary_scale, with.decimal_scale)) &&
                         usable(scale_of(-with.binary_scale, -with.decimal_scale));
  return both_ways ? failure{} : bad_parameter(size_of(with.decimal_scale), "sp_decimal_scale_factor");
}

packing_parameters compute_packing(const number_range& of, unsigned bits, std::int32_t decimal_scale) noexcept {
  packing_parameters out{.reference = of.any ? of.first : 0.0, .decimal_scale = decimal_scale, .bits = bits};
  if (!of.any || bits == 0) return out;
  out.reference = of.min;
  const double range = (of.max - of.min) * scale_of(0, -decimal_scale);
  const auto max_integer = static_cast<double>(~std::uint64_t{0} >> (64 - bits));
  if (range != 0) out.binary_scale = saturated(std::ceil(std::log2(range / max_integer)));
  return out;
}

std::optional<std::uint64_t> find_inexact(std::span<const double> numbers, const packing_parameters& with,
                                          double max_error) noexcept {
  const packing_rule rule(with);
  const double scale = scale_of(with.binary_scale, with.decimal_scale);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) continue;
    const double scaled = with.bits == 0 ? 0 : scale * static_cast<double>(rule.integer(numbers[i]));
    if (!(std::abs(numbers[i] - (with.reference + scaled)) <= max_error)) return i;
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

// SPDX-License-Identifier: Apache-2.0
#include "codec/packing_parameters.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "codec/failures.hpp"
#include "codec/named_entries.hpp"

namespace tgmap::codec {

namespace {

enum place : std::size_t { reference_value, binary_scale_factor, decimal_scale_factor, bits_per_value, places };

/// As they are written since 0.19, and before.
constexpr std::array<std::string_view, 2 * places> names{
    "sp_reference_value", "sp_binary_scale_factor", "sp_decimal_scale_factor", "sp_bits_per_value",
    "reference_value",    "binary_scale_factor",    "decimal_scale_factor",    "bits_per_value"};

using entries = named_entries<names.size()>;

failure unusable(std::uint64_t found, place which) noexcept { return bad_parameter(found, names[which].data()); }

/// Under the newer name, else under the older one.
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

failure read_packing_parameters(const descriptor& what, packing_parameters& out) noexcept {
  const entries from(what.entries, names);
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

}  // namespace tgmap::codec

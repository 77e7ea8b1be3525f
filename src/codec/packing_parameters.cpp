// SPDX-License-Identifier: Apache-2.0
#include "codec/packing_parameters.hpp"

#include <cmath>
#include <optional>
#include <string_view>

namespace tgmap::codec {

namespace {

failure unusable(std::uint64_t found) noexcept { return {.code = errc::bad_parameter, .found = found}; }

/// The entry under the newer name, else under the one that releases before 0.19 wrote.
std::optional<value> packing_entry(const descriptor& from, std::string_view newer) noexcept {
  constexpr std::string_view prefix = "sp_";
  const auto found = from.entries.find(newer);
  return found ? found : from.entries.find(newer.substr(prefix.size()));
}

failure read_scale(const descriptor& from, std::string_view key, std::int32_t& out) noexcept {
  const auto entry = packing_entry(from, key);
  const auto number = entry ? entry->get<std::int64_t>() : std::nullopt;
  if (!number) return unusable(0);
  if (*number < INT32_MIN || *number > INT32_MAX) return unusable(static_cast<std::uint64_t>(*number));
  out = static_cast<std::int32_t>(*number);
  return {};
}

}  // namespace

failure read_packing_parameters(const descriptor& from, packing_parameters& out) noexcept {
  const auto reference = packing_entry(from, "sp_reference_value");
  auto number = reference ? reference->get<double>() : std::nullopt;
  if (reference && !number)
    if (const auto whole = reference->get<std::int64_t>()) number = static_cast<double>(*whole);
  if (!number || !std::isfinite(*number)) return unusable(0);
  out.reference = *number;
  if (failure why = read_scale(from, "sp_binary_scale_factor", out.binary_scale)) return why;
  if (failure why = read_scale(from, "sp_decimal_scale_factor", out.decimal_scale)) return why;
  const auto bits = packing_entry(from, "sp_bits_per_value");
  const auto width = bits ? bits->get<std::uint64_t>() : std::nullopt;
  if (!width) return unusable(0);
  if (*width > 64) return unusable(*width);
  out.bits = static_cast<unsigned>(*width);
  return {};
}

}  // namespace tgmap::codec

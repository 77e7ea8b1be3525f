// SPDX-License-Identifier: Apache-2.0
// Parameters of simple_packing (§7.1): read from descriptors, checked and computed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>
#include <tgmap/write/pipeline.hpp>

#include "codec/packing/number_range.hpp"

namespace tgmap::codec {

struct packing_parameters {
  double reference = 0;
  std::int32_t binary_scale = 0;
  std::int32_t decimal_scale = 0;
  unsigned bits = 0;  ///< 0 to 64
};

/// Reads the parameters, in either spelling of their keys. All four must be present, finite and in range.
/// Errors: bad_parameter.
/// Complexity: O(bytes of the descriptor), no allocation.
[[nodiscard]] failure read_packing_parameters(const descriptor&, packing_parameters& out) noexcept;

// Choice of the parameters for packing (§7.1).

/// Maximum binary scale. Only invalid ranges need a larger one. Other writers have the same limit.
inline constexpr std::int32_t max_binary_scale = 256;

/// Checks options by themselves. Errors: bad_parameter.
[[nodiscard]] failure check_packing(const packing_options&) noexcept;

/// Checks that numbers can be unpacked: both scales are neither 0 nor infinite. Errors: bad_parameter.
[[nodiscard]] failure check_packing(const packing_parameters&) noexcept;

/// Computes parameters from a range, bit for bit as the reference implementation does. The result may be unusable: use
/// check_packing.
[[nodiscard]] packing_parameters compute_packing(const number_range&, unsigned bits,
                                                 std::int32_t decimal_scale) noexcept;

/// Returns the index of the first number that packing would change by more than `max_error`. Ignores NaN and
/// infinities.
[[nodiscard]] std::optional<std::uint64_t> find_inexact(std::span<const double> numbers, const packing_parameters&,
                                                        double max_error) noexcept;

}  // namespace tgmap::codec

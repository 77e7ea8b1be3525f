// SPDX-License-Identifier: Apache-2.0
// What a descriptor tells of simple_packing (§7.1), in either spelling of its keys.
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

/// All four must be there, finite and in range. O(bytes of the descriptor), no allocation. Errors: bad_parameter.
[[nodiscard]] failure read_packing_parameters(const descriptor&, packing_parameters& out) noexcept;

// With which parameters elements are packed (§7.1).

/// Other writers refuse more, and so do we: what is beyond comes of a range that is no range.
inline constexpr std::int32_t most_binary_scale = 256;

/// The options make sense by themselves. Errors: bad_parameter.
[[nodiscard]] failure check_packing(const packing_options&) noexcept;

/// Numbers can be taken out again: finite, and neither scale is lost to 0 or infinity. Errors: bad_parameter.
[[nodiscard]] failure check_packing(const packing_parameters&) noexcept;

/// As the reference implementation computes them, bit for bit; what comes out may be impossible, see check_packing.
[[nodiscard]] packing_parameters computed_packing(const number_range&, unsigned bits,
                                                  std::int32_t decimal_scale) noexcept;

/// The first number that would come out more than `most_error` away from what it was; NaN and infinities do not count.
[[nodiscard]] std::optional<std::uint64_t> find_inexact(std::span<const double> numbers, const packing_parameters&,
                                                        double most_error) noexcept;

}  // namespace tgmap::codec

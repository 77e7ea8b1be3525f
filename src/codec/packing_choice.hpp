// SPDX-License-Identifier: Apache-2.0
// With which parameters elements are packed (§7.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/write/pipeline.hpp>

#include "codec/pack.hpp"
#include "codec/packing_parameters.hpp"

namespace tgmap::codec {

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

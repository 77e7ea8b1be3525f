// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <tgmap/error.hpp>
#include <tgmap/write/pipeline.hpp>

namespace tgmap {
inline namespace v0 {

/// Returns the parameters with which simple_packing encodes these elements, without encoding them: `bits`,
/// `decimal_scale`, `reference` and `binary_scale`. `max_error` is not set.
///
/// `how.encoding` is taken as simple_packing. The options of its other stages count too, since szip and shuffle limit
/// the bits that `max_error` may choose. NaN and infinities are ignored if `how.missing` allows them. Pipelines with
/// these parameters encode elements of the same range piece by piece, for example in a stream_writer.
/// Errors: those of validate_pipeline; bad_parameter (no scale fits the range of the elements); non_finite,
/// not_representable (found = number of the first bad element).
/// Complexity: O(elements); with `max_error` up to 65 passes. No allocation.
/// Thread safety: any thread.
/// Spec: §7.1.
[[nodiscard]] TGMAP_API packing_options compute_packing(std::span<const double> elements, const pipeline& how = {});
[[nodiscard]] TGMAP_API packing_options compute_packing(std::span<const double> elements, failure&) noexcept;
[[nodiscard]] TGMAP_API packing_options compute_packing(std::span<const double> elements, const pipeline& how,
                                                        failure&) noexcept;

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <tgmap/write/pipeline.hpp>

#include "cpp/arguments/keywords.hpp"

namespace tgmap_python {

/// A `pipeline_options` says how elements are encoded, and their byte order in the archive.
struct pipeline_options {
  tgmap::pipeline pipeline{};
  std::optional<tgmap::byte_order> stored_byte_order{};
};

/// Removes the keywords of a pipeline and returns what they say: encoding, bits, decimal_scale, max_error, reference,
/// binary_scale; filter, shuffle_size; compression, level, codec, rsi, block_size, flags, rate, precision, tolerance,
/// error_bound, error_mode; allow_nan, allow_infinity, mask_method, small_mask_bytes, check_elements; byte_order.
/// Raises TypeError for a keyword that the pipeline does not use, or that is unknown.
/// `encoding`: the default.
pipeline_options take_pipeline(keywords&, tgmap::encoding encoding = tgmap::encoding::none);

}  // namespace tgmap_python

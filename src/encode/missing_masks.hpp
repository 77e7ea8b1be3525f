// SPDX-License-Identifier: Apache-2.0
// NaN and infinities when writing (§6.2): rejected, or replaced by zeros and masks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/write/new_message.hpp>

#include "core/memory.hpp"
#include "encode/object_encoder.hpp"

namespace tgmap::encode {

/// One bit per element, the first one highest, in the order of mask_kind; empty if no element is of that kind.
using missing_marks = std::array<std::span<const std::byte>, 3>;

/// Marks NaN and infinities. The result is in `memory`.
/// Errors: non_finite (found = index of the first that is not allowed), out_of_memory.
failure find_missing(std::span<const std::byte> elements, dtype, byte_order, const missing_options&,
                     core::scratch& memory, missing_marks& out) noexcept;

/// Writes the masks that have bits, in the order of their kinds. `memory` has a buffer for each mask, and one to try
/// methods. Errors: codec_absent, codec_failed, too_large, out_of_memory.
failure write_masks(const missing_marks&, std::uint64_t elements, const missing_options&,
                    std::array<core::scratch, 4>& memory, encoded_object& out) noexcept;

}  // namespace tgmap::encode

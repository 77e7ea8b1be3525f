// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <tgmap/object.hpp>

#include "decode/memory.hpp"
#include "decode/plan.hpp"

namespace tgmap::decode {

/// Puts NaN and infinities where the masks of the object say, into all of its elements, which are in byte order
/// `order`. Masks of types that have no such elements say nothing; of `bitmask` they are bad_combination (§6.2).
/// Errors: also unknown_codec, bad_mask, codec_absent, codec_failed, out_of_memory, file_shrank, io.
failure put_masks_back(const plan&, const object& from, byte_order order, scratch&,
                       std::span<std::byte> elements) noexcept;

}  // namespace tgmap::decode

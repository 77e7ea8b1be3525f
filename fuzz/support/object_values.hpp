// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <tgmap/object.hpp>

#include "support/first_failure.hpp"
#include "support/seeded_random.hpp"

namespace tgmap_fuzz {

/// Larger objects are left out.
inline constexpr std::uint64_t max_decoded_bytes = std::uint64_t{1} << 18;

/// Requires that an object has one value: whole, in memory of the caller, by ranges and boxes, and in the pieces of
/// several threads. A part may fail if the whole does not; a part that succeeds has the bytes of the whole.
void require_one_value(const tgmap::object&, seeded_random&, first_failure&);

/// Requires that `decode_many` has the results of `decode_into` for each object, on one thread and on two.
void require_same_by_decode_many(std::span<const tgmap::object>, seeded_random&, first_failure&);

}  // namespace tgmap_fuzz

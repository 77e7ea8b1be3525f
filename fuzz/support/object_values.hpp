// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <tgmap/object.hpp>

#include "support/met_failures.hpp"
#include "support/seeded_random.hpp"

namespace tgmap_fuzz {

/// Objects that decode to more are left out.
inline constexpr std::uint64_t most_decoded = std::uint64_t{1} << 18;

/// Requires that an object has one value: whole, into memory of the caller, by ranges and boxes, and in the pieces that
/// threads take. A part may fail where the whole does not; what succeeds has the bytes of the whole.
void require_one_value(const tgmap::object&, seeded_random&, met_failures&);

/// Requires that `decode_many` gives each object what `decode_into` gives it alone, on one thread and on two.
void require_same_by_many(std::span<const tgmap::object>, seeded_random&, met_failures&);

}  // namespace tgmap_fuzz

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/tools/explain.hpp>
#include <vector>

namespace tgmap::explain {

/// Returns the work that is needed before elements can be used, in its order. `stored` is the size of the payload,
/// `why_not_in_place` the result of object::why_not_in_place.
std::vector<access_obstacle> obstacles(const descriptor&, std::uint64_t stored, const failure& why_not_in_place);

}  // namespace tgmap::explain

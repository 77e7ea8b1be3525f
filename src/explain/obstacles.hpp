// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/tools/explain.hpp>
#include <vector>

namespace tgmap::explain {

/// What has to be undone before elements can be used, in that order. `in_place`: what object::in_place says.
std::vector<access_obstacle> obstacles(const descriptor&, std::uint64_t stored, const failure& in_place);

}  // namespace tgmap::explain

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace tgmap::select {

/// Characters to insert, remove, replace or swap with their neighbour to make one text of the other. Texts of more than
/// 60 are not compared, but as far apart as two can be.
std::size_t spelling_distance(std::string_view, std::string_view) noexcept;

/// Whether two keys that far apart may be mistaken for one another.
bool is_near(std::size_t distance, std::string_view wanted) noexcept;

}  // namespace tgmap::select

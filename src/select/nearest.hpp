// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace tgmap::select {

/// Characters to insert, remove, replace or swap with their neighbour to make one text of the other; looks at no more
/// than the first 60 of each. Throws std::bad_alloc.
std::size_t spelling_distance(std::string_view, std::string_view);

/// Whether two keys that far apart may be mistaken for one another.
bool is_near(std::size_t distance, std::string_view wanted) noexcept;

}  // namespace tgmap::select

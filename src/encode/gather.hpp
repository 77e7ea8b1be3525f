// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "encode/source_layout.hpp"

namespace tgmap::encode {

/// Copies the elements, of `width` bytes (1, 2, 4, 8 or 16), into C order. `origin` is the one at indices 0; all that
/// the layout reaches can be read, none of its extents is 0, and `out` has room for all, elsewhere.
void gather(const source_layout&, std::size_t width, const std::byte* origin, std::byte* out) noexcept;

}  // namespace tgmap::encode

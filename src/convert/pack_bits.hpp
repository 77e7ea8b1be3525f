// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "convert/array_layout.hpp"

namespace tgmap::convert {

/// Elements of one byte, each 0 or 1, as a bitmask has them: in C order, eight a byte, the first one highest; the
/// inverse of what copy_elements does to bits. O(elements). Throws refusal: other elements.
std::vector<std::byte> pack_bits(const npy_array&);

}  // namespace tgmap::convert

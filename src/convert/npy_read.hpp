// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "convert/array_layout.hpp"

namespace tgmap::convert {

/// Reads .npy of format 1.0, 2.0 or 3.0; the inverse of write_npy, and of numpy.save with what it may save. All lengths
/// are checked against the file, which ends with the last element: of several arrays in one file none is passed over.
/// O(header), whatever the elements are. Throws refusal.
npy_array npy_read(std::span<const std::byte> file);

}  // namespace tgmap::convert

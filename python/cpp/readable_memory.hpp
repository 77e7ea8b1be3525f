// SPDX-License-Identifier: Apache-2.0
// Memory of a mapped file that may have become shorter.
#pragma once

#include <cstddef>
#include <span>

#include "python.hpp"

namespace tgmap_python {

/// Raises Error (file_shrank) if reading the memory of an array would raise SIGBUS, or give the zeros behind the end of
/// an archive: it is of a mapped file, and the file has become shorter. `owner`: what the array borrows from.
/// Complexity: O(pages), without reading them again.
void require_readable(std::span<const std::byte> memory, nb::handle owner);

}  // namespace tgmap_python

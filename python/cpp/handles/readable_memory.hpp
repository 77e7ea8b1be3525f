// SPDX-License-Identifier: Apache-2.0
// Memory of a mapped file that may have become shorter.
#pragma once

#include <cstddef>
#include <span>

#include "cpp/handles/opened_archive.hpp"

namespace tgmap_python {

/// Shares an archive that was opened, and knows its bytes as long as it lives.
shared_archive share_archive(opened_archive&&);

/// Raises Error (file_shrank) if reading the memory would raise SIGBUS, or give the zeros behind the end of an archive:
/// it is of a mapped file, and the file has become shorter. It does not matter by which ways the memory came here.
/// Complexity: O(pages), without reading them again, and O(open archives).
void require_readable(std::span<const std::byte> memory);

}  // namespace tgmap_python

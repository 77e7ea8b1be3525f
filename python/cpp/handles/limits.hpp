// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpp/handles/handles.hpp"

namespace tgmap_python {

/// Raises Error with the code decoded_limit if an object would take more bytes of memory than its archive may use for
/// one. The library checks what it allocates itself; arrays of bool, which have a byte for each bit, and of other types
/// are larger. Call it before anything is decoded.
void require_within_limit(const shared_archive&, const tgmap::object&, std::uint64_t bytes);

/// Does the same for `count` arrays of `item` bytes for each of the elements.
void require_within_limit(py_object&, std::uint64_t count, std::uint64_t item);

}  // namespace tgmap_python

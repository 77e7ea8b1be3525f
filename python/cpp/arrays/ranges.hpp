// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpp/handles/handles.hpp"
#include "cpp/interpreter/scalars.hpp"

namespace tgmap_python {

/// Returns elements [first, first + count) of each pair as flat arrays, in the order of the payload. Those of a bitmask
/// are bytes of eight elements. Raises IndexError for elements that do not exist.
nb::list ranges_of(py_object&, nb::handle pairs, argument<unsigned> threads, argument<bool> restore_missing,
                   argument<bool> verify);

}  // namespace tgmap_python

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "validate/collector.hpp"
#include "validate/item.hpp"

namespace tgmap::checks {

/// Reports each key that comes for the second time in a map of an item that `check_cbor` has found sound, at any depth.
/// Keys are compared by what they say, however they are spelled. `what` the item is stands in the text. O(n log n) in
/// its bytes; memory for the keys of maps that are around one another. Throws std::bad_alloc.
void report_duplicate_keys(item, std::string_view what, about where, collector&);

}  // namespace tgmap::checks

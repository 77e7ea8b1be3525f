// SPDX-License-Identifier: Apache-2.0
#include <tgmap/enum_names.hpp>

#include "core/text/enum_table.hpp"

namespace tgmap {
inline namespace v0 {

TGMAP_ENUM_NAMES(condition, 1, "usage", "truncated", "corrupt", "unsupported", "limit", "io")
TGMAP_ENUM_NAMES(guard_use, 0, "automatic", "never")
TGMAP_ENUM_NAMES(index_use, 0, "none", "use", "checked", "create")
TGMAP_ENUM_NAMES(io_mode, 0, "automatic", "map", "read")
TGMAP_ENUM_NAMES(memory, 0, "constant", "may_change")
TGMAP_ENUM_NAMES(object_lookup, 0, "index", "walk")
TGMAP_ENUM_NAMES(on_damage, 0, "stop", "skip")
TGMAP_ENUM_NAMES(output_byte_order, 0, "native", "stored")
TGMAP_ENUM_NAMES(storage_order, 0, "c", "fortran", "permuted")
TGMAP_ENUM_NAMES(stride_policy, 0, "apply", "ignore")

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#include <tgmap/constant/enum_names.hpp>

#include "core/text/enum_table.hpp"

namespace tgmap {
inline namespace v0 {

TGMAP_INNER_ENUM_NAMES(constant, block_order, 0, "as_stored", "sorted")
TGMAP_INNER_ENUM_NAMES(constant, form, 0, "long", "short", "long-value", "short-value", "hex", "hex-value")
TGMAP_INNER_ENUM_NAMES(constant, number_style, 0, "shortest", "upstream")

namespace constant {
std::optional<form> form_from_name(std::string_view name) noexcept { return from_string<form>(name); }
}  // namespace constant

}  // namespace v0
}  // namespace tgmap

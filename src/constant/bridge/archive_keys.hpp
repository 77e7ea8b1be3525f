// SPDX-License-Identifier: Apache-2.0
// The keys of a constant in the metadata of a message and its objects; docs/constant.md describes them.
#pragma once

#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace constant::keys {

inline constexpr std::string_view type = "vespa.type";              ///< of the message: the canonical text
inline constexpr std::string_view dimensions = "vespa.dimensions";  ///< of the message and of the cells: names
inline constexpr std::string_view seed = "vespa.seed";              ///< of the message: of the hashes in the table
inline constexpr std::string_view role = "vespa.role";              ///< of an object: one of the following
inline constexpr std::string_view cells = "cells", labels = "labels", offsets = "offsets", table = "table";
inline constexpr std::string_view blocks_name =
    "(blocks)";  ///< the first axis of the cells; not a valid name of a dimension

}  // namespace constant::keys
}  // namespace v0
}  // namespace tgmap

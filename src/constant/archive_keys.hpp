// SPDX-License-Identifier: Apache-2.0
// Where a constant's facts are in the metadata of a message and of its objects. docs/constant.md describes them.
#pragma once

#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace keys {

inline constexpr std::string_view type = "vespa.type";              ///< of the message: the canonical spelling
inline constexpr std::string_view dimensions = "vespa.dimensions";  ///< names: of the constant, and of each axis
inline constexpr std::string_view seed = "vespa.seed";  ///< of the message: what the table's hashes begin with
inline constexpr std::string_view role = "vespa.role";  ///< of an object: one of the following
inline constexpr std::string_view cells = "cells", labels = "labels", offsets = "offsets", table = "table";
inline constexpr std::string_view blocks_name = "(blocks)";  ///< the axis that is no dimension; no name of one

}  // namespace keys
}  // namespace constant
}  // namespace v0
}  // namespace tgmap

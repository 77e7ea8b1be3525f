// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "constant/json/parser.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// Returns the type in the member `type` of the current object, wherever it is, and stays at the object. Reports a
/// missing type.
/// Complexity: O(text before it).
std::optional<tensor_type> find_type(parser&);

/// Reads the current string as a type. It must match the type that cells are read as; `is_declared` says that this one
/// comes from the options.
read_status check_type(parser&, const tensor_type&, bool is_declared);

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "constant/json/parser.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// The type that the document's member `type` tells, wherever it stands. Told where there is none; stays at the
/// beginning. O(the text before it).
std::optional<tensor_type> find_type(parser&);

/// Whether the type in the string here goes with the one that cells are read as. `declared`: somebody else has said
/// that.
outcome check_type(parser&, const tensor_type&, bool declared);

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap

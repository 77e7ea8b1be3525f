// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/constant/builder.hpp>

#include "constant/json/parser.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// Reads the whole document, and that nothing is behind it. `declared`: the type is not the document's own.
void read_root(parser&, const tensor_type&, bool declared, builder&);

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap

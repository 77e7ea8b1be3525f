// SPDX-License-Identifier: Apache-2.0
// CBOR as JSON that can be turned back: what JSON has as itself, everything else as an object of one key that begins
// with "$". docs/zio.md lists them.
#pragma once

#include <cstddef>
#include <string>
#include <tgmap/cbor_view.hpp>
#include <tgmap/write/cbor_value.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Whether an item is no container and JSON has it as it is.
bool plain_scalar(const cbor_view&);

/// The item as JSON, `depth` containers deep. Throws error (label_too_deep, bad_cbor), std::bad_alloc.
void append_spelled(std::string& out, const cbor_view&, std::size_t depth = 0);

/// What append_spelled was given, of the JSON that it made. Throws error (bad_label) for what it cannot have made.
cbor_value unspelled(const cbor_view&);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap

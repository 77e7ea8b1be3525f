// SPDX-License-Identifier: Apache-2.0
// A reversible encoding of CBOR in JSON. Values that JSON lacks become objects with one key that begins with "$"; see
// docs/zio.md.
#pragma once

#include <cstddef>
#include <tgmap/cbor_view.hpp>
#include <tgmap/write/cbor_value.hpp>

#include "zio/message/label_json.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Returns true for a value that is not a container and that JSON has, too.
bool is_json_scalar(const cbor_view&);

/// Writes a value as JSON. `depth` is the number of containers around it.
/// Errors: label_too_deep, bad_label (text that is not UTF-8), bad_cbor, thrown; std::bad_alloc.
void encode_json(label_writer&, const cbor_view&, std::size_t depth = 0);

/// Returns the value that `encode_json` was given, from its JSON.
/// Errors: bad_label (not made by `encode_json`), thrown.
cbor_value decode_json(const cbor_view&);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tgmap/write/cbor_value.hpp>

namespace tgmap::cli {

/// One JSON text (RFC 8259) as an item. Whole numbers stay whole numbers, of up to 64 bits; numbers with a point or an
/// exponent are floating. What JSON leaves open is refused rather than guessed: a key that comes twice in a map, a
/// number that no type holds; so are containers in more than 64 containers. `what` names the text: "--meta", a file.
/// O(n). Throws usage_error, which tells line and column.
cbor_value json_item(std::string_view text, std::string_view what);

}  // namespace tgmap::cli

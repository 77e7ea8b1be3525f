// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tgmap/write/cbor_value.hpp>

namespace tgmap::cli {

/// Parses a JSON text (RFC 8259) into a CBOR value. Integers of up to 64 bits stay integers; numbers with a point or
/// an exponent become floating. Rejects duplicate keys and numbers that fit no type. Containers may be nested 64 deep.
/// `what` names the text in errors: "--meta", or a file.
///
/// Errors: usage_error with line and column.
/// Complexity: linear.
cbor_value json_to_cbor(std::string_view text, std::string_view what);

}  // namespace tgmap::cli

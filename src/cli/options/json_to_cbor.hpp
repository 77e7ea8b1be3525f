// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tgmap/write/cbor_value.hpp>

namespace tgmap::cli {

/// Returns the value that json_text::read_value reads. `what` names the text in errors: "--meta", or a file.
/// Errors: usage_error with line and column.
cbor_value json_to_cbor(std::string_view text, std::string_view what);

}  // namespace tgmap::cli

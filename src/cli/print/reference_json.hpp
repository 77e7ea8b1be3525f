// SPDX-License-Identifier: Apache-2.0
// Values of an archive as JSON, written the way the reference implementation writes them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tgmap/cbor_view.hpp>

namespace tgmap::cli {

using sorted_json = nlohmann::json;  // members sorted by name, as in the reference implementation

/// Converts CBOR to JSON like the reference implementation. Byte strings become hexadecimal text, tags are dropped,
/// integers beyond 64 bits become text, NaN and infinities null. Keys that are not text are written in the reference's
/// debug notation. Values deeper than `max_json_depth` become "...".
sorted_json to_sorted_json(cbor_view, unsigned depth = 0);
inline constexpr unsigned max_json_depth = 1024;  // the library's limit for metadata

/// Returns the member name that to_sorted_json uses for a key.
std::string json_name(const cbor_view& key, unsigned depth);

/// Prints JSON on one line without blanks.
std::string compact(const sorted_json&);

/// Prints JSON on several lines, indented by two.
std::string pretty(const sorted_json&);

}  // namespace tgmap::cli

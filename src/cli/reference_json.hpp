// SPDX-License-Identifier: Apache-2.0
// Values of an archive as JSON, written the way the reference implementation writes them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tgmap/cbor_view.hpp>

namespace tgmap::cli {

using sorted_json = nlohmann::json;  // members by name, as the reference has them

/// Byte strings become hexadecimal text, tags vanish, integers beyond 64 bits become text, what is no JSON number null.
/// Keys that are no text are written in the reference's own notation. Deeper than `max_json_depth`: "...".
sorted_json to_sorted_json(cbor_view, unsigned depth = 0);
inline constexpr unsigned max_json_depth = 1024;  // as deep as the library reads metadata

/// The name of a member as to_sorted_json makes it of a key.
std::string json_name(const cbor_view& key, unsigned depth);

/// In one line without blanks.
std::string compact(const sorted_json&);

/// In several lines, indented by two.
std::string pretty(const sorted_json&);

}  // namespace tgmap::cli

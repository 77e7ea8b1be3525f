// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/gap.hpp>
#include <utility>

namespace tgmap::cli {

using json = nlohmann::ordered_json;  // keeps the order of members

/// Returns JSON as one line of ASCII: text from a file cannot control a terminal, and ill-formed UTF-8 becomes U+FFFD.
/// A `file`, `index` or `output` that is not UTF-8 is followed by a member with its bytes, such as `file_hex`.
std::string json_line(const json&);

/// Adds a member with a new name in constant time; `to[name]` would compare all names first.
inline void add_member(json& to, const std::string& name, json of) {
  to.get_ref<json::object_t&>().emplace_back(name, std::move(of));
}

json to_json(const gap&);
json to_json(const std::optional<incomplete_tail>&);

template <class T>
json to_json(std::span<const T> values) {
  json out = json::array();
  for (const T& value : values) out.push_back(value);
  return out;
}

/// Returns text as a JSON string. Controls and bidirectional marks are escaped, ill-formed UTF-8 becomes U+FFFD, and
/// everything else stays as it is.
std::string json_string(std::string_view);

/// Returns the shortest digits of a finite number, always with a point or an exponent: "1.0", "0.5", "1e+20".
std::string float_text(double);

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

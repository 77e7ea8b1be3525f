// SPDX-License-Identifier: Apache-2.0
// Values of JSON, and lines of them for programs.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/gap.hpp>
#include <utility>

#include "json/writer.hpp"

namespace tgmap::reports {

using json = nlohmann::ordered_json;  // keeps the order of members

/// Returns the JSON in ASCII that `write(json_text::writer<>&)` writes: text from a file cannot control a terminal, and
/// ill-formed UTF-8 becomes U+FFFD.
template <class Write>
std::string json_of(Write&& write) {
  std::string out;
  core::text_builder text(out);
  json_text::writer<> to(text, json_text::ascii_style);
  write(to);
  return out;
}

/// Writes a value.
void put(json_text::writer<>&, const json&);

/// Returns JSON in ASCII.
std::string ascii_json(const json&);

/// Returns JSON in ASCII with a line end. `file`, `index` and `output` are written as by json_text::put_name.
std::string json_line(const json&);

/// Adds a member with a new name in constant time; `to[name]` would compare all names first.
inline void add_member(json& to, const std::string& name, json of) {
  to.get_ref<json::object_t&>().emplace_back(name, std::move(of));
}

/// Returns null in place of a missing value, an empty text, NaN and infinities.
template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json();
}
inline json or_null(const optional_index& number) { return number ? json(*number) : json(); }
inline json or_null(double number) { return std::isfinite(number) ? json(number) : json(); }
inline json or_null(std::string_view text) { return text.empty() ? json() : json(text); }

json to_json(const gap&);
json to_json(const std::optional<incomplete_tail>&);

template <class T>
json to_json(std::span<const T> values) {
  json out = json::array();
  for (const T& value : values) out.push_back(value);
  return out;
}

}  // namespace tgmap::reports

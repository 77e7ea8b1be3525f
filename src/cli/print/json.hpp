// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <utility>

#include "json/writer.hpp"

namespace tgmap::cli {

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

/// Returns a line of JSON with the members that `write` writes.
template <class Write>
std::string json_object(Write&& write) {
  const auto write_object = [&](json_text::writer<>& to) {
    to.begin_object();
    write(to);
    to.end_object();
  };
  return json_of(write_object) + "\n";
}

/// Writes a value.
void put(json_text::writer<>&, const json&);

/// Writes the member `name`. If the text is not UTF-8, a member with its bytes follows, such as `file_hex`.
void put_name(json_text::writer<>&, std::string_view name, std::string_view text);

/// Returns JSON in ASCII.
std::string ascii_json(const json&);

/// Returns JSON in ASCII with a line end. `file`, `index` and `output` are written as by `put_name`.
std::string json_line(const json&);

/// Adds a member with a new name in constant time; `to[name]` would compare all names first.
inline void add_member(json& to, const std::string& name, json of) {
  to.get_ref<json::object_t&>().emplace_back(name, std::move(of));
}

template <class T>
json to_json(std::span<const T> values) {
  json out = json::array();
  for (const T& value : values) out.push_back(value);
  return out;
}

}  // namespace tgmap::cli

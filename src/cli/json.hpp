// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <tgmap/gap.hpp>
#include <utility>

namespace tgmap::cli {

using json = nlohmann::ordered_json;  // members in the order in which people expect them

/// One line, in ASCII: text out of a file stays harmless at a terminal, and ill-formed UTF-8 becomes U+FFFD.
std::string json_line(const json&);

/// Adds a member whose name is known not to be there: `to[name]` looks at all of them first.
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

}  // namespace tgmap::cli

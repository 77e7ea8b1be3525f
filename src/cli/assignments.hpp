// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tgmap::cli {

/// What the value of an assignment becomes.
enum class assigned_type : std::uint8_t {
  unsaid,    ///< KEY=VALUE: the type that the key has now where it has one, else text
  integer,   ///< KEY:i=12
  floating,  ///< KEY:d=0.5
  text,      ///< KEY:s=12
  boolean,   ///< KEY:b=true
  null,      ///< KEY:null
  json,      ///< KEY:j=JSON
};

/// One key and what it shall be. The value is still text: what it means may depend on what the key is now.
struct assignment {
  std::string key;  ///< a dotted path, "mars.step"
  assigned_type type = assigned_type::unsaid;
  std::string value{};  ///< empty for null
};

/// Reads the argument of `-s`: KEY=VALUE, several of them with commas between. `\,` in it is a comma and `\\` a
/// backslash; other backslashes stay. A value of type j is the rest of the argument, as it is. A key that has a colon
/// in it says its type: "a:b:s=text". Throws usage_error, which names the column.
std::vector<assignment> parse_assignments(std::string_view);

}  // namespace tgmap::cli

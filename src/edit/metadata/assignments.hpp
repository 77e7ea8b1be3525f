// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>
#include <vector>

namespace tgmap::edit {

/// The type of an assigned value.
enum class assigned_type : std::uint8_t {
  unspecified,  ///< KEY=VALUE: the type that the key has now, or a number if that is printed as the same text
  integer,      ///< KEY:i=12
  floating,     ///< KEY:d=0.5
  text,         ///< KEY:s=12
  boolean,      ///< KEY:b=true
  null,         ///< KEY:null
  json,         ///< KEY:j=JSON
};

/// A key and its new value, still as text: its type may depend on the key's present value.
struct assignment {
  std::string key;  ///< a dotted path, "mars.step"
  assigned_type type = assigned_type::unspecified;
  std::string value{};  ///< empty for null
};

/// Why a text is no list of assignments.
struct assignment_fault {
  enum class kind : std::uint8_t {
    no_key,        ///< a key is missing
    unknown_type,  ///< `name` ends with a type that does not exist
    no_value,      ///< `name` has no value
    null_value,    ///< null has a value
  };
  kind what = kind::no_key;
  std::size_t position = 0;  ///< in the text
  std::string name{};        ///< the key with its type
};

/// Parses comma-separated KEY=VALUE, and adds the assignments to `into`. `\,` is a comma and `\\` a backslash; other
/// backslashes stay. A value of type j extends to the end of the text, unchanged. A key with a colon needs a type:
/// "a:b:s=text". Returns the first fault, if there is one.
std::optional<assignment_fault> parse_assignments(std::string_view text, std::vector<assignment>& into);

/// Converts the value of an assignment to a type other than json. `unspecified` is a number if printing the number
/// gives the same text, otherwise text: "6" is a number, "0600" is not. Integers range from -2^63 to 2^64 - 1; floats
/// are decimal, nan, inf or -inf; booleans are true or false. Returns nothing if the text does not fit the type.
std::optional<cbor_value> assigned_value(std::string_view text, assigned_type);

/// Returns the type of a new value of unspecified type that replaces another one. Returns nothing for a list and a map,
/// which one value cannot replace.
std::optional<assigned_type> type_like(const std::optional<cbor_view>& existing);

}  // namespace tgmap::edit

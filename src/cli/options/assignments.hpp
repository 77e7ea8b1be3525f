// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>
#include <vector>

namespace tgmap::cli {

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

/// Parses the argument of `-s`: comma-separated KEY=VALUE. `\,` is a comma and `\\` a backslash; other backslashes
/// stay. A value of type j extends to the end of the argument, unchanged. A key with a colon needs a type:
/// "a:b:s=text". Errors: usage_error with the column.
std::vector<assignment> parse_assignments(std::string_view);

/// Converts the value of an assignment; `default_type` applies if the assignment names no type. Without both, the
/// value is a number if printing the number gives the same text, otherwise text: "6" is a number, "0600" is not.
/// Integers range from -2^63 to 2^64 - 1; floats are decimal, nan, inf or -inf; booleans are true or false. Errors:
/// usage_error if the text does not fit the type.
cbor_value assigned_value(const assignment&, assigned_type default_type = assigned_type::unspecified);

/// An `editable_key` is a metadata key of a message, as users write it to change the message.
struct editable_key {
  enum class part : std::uint8_t {
    base,        ///< "mars.step": in every object; message-wide in a message without objects
    one_base,    ///< "base[2].mars.step": in one object
    extra,       ///< "extra.title", "_extra_.title": message-wide
    descriptor,  ///< "objects.2.units": in the descriptor of one object
  };

  std::string text;  ///< as the user wrote it, for error messages
  part in = part::base;
  std::size_t object = 0;
  std::string path{};  ///< within `in`

  /// Parses a key. Errors: throws usage_error if it is not a key; cli_error if the key must not be changed, because it
  /// describes how elements are stored or who wrote the message.
  static editable_key parse(std::string_view);

  /// Throws usage_error if a new key with this name would be empty or not UTF-8.
  void check_new() const;

  /// Returns true if `other` is in the same map, so that one key can be renamed to the other.
  bool same_part(const editable_key& other) const noexcept { return in == other.in && object == other.object; }
};

}  // namespace tgmap::cli

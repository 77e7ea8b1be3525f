// SPDX-License-Identifier: Apache-2.0
#include "cli/options/assignments.hpp"

#include <fmt/format.h>

#include <optional>
#include <tgmap/tools/metadata_edits.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/options/json_to_cbor.hpp"

namespace tgmap::cli {

std::vector<assignment> parse_assignments(std::string_view text) {
  std::vector<assignment> out;
  const std::optional<edit::assignment_fault> fault = edit::parse_assignments(text, out);
  if (!fault) return out;
  const auto refuse = [&](const std::string& what, const std::string& next_step) {
    throw usage_error(fmt::format("{}, at column {} of '{}'", what, fault->position + 1, text), next_step);
  };
  using kind = edit::assignment_fault::kind;
  switch (fault->what) {
    case kind::no_key: refuse("a key is missing", "write KEY=VALUE"); break;
    case kind::unknown_type:
      refuse(fmt::format("'{}' is not a type", fault->name.substr(fault->name.rfind(':'))),
             "use :i :d :s :b :null or :j; a key with a colon needs one of them");
      break;
    case kind::no_value:
      refuse(fmt::format("'{}' has no value", fault->name), "write KEY=VALUE, and \\, for a comma in a value");
      break;
    case kind::null_value: refuse("null takes no value", "write KEY:null"); break;
  }
  return out;
}

cbor_value assigned_value(const assignment& of, assigned_type type) {
  if (type == assigned_type::json) return json_to_cbor(of.value, of.key);
  if (const std::optional<cbor_value> value = edit::assigned_value(of.value, type)) return *value;
  const char* wanted = "true or false";
  switch (type) {
    case assigned_type::integer: wanted = "an integer of 64 bits"; break;
    case assigned_type::floating: wanted = "a number"; break;
    case assigned_type::boolean: break;
    default: throw usage_error(fmt::format("the value for {} is not UTF-8", of.key), "write it in UTF-8");
  }
  throw usage_error(fmt::format("'{}' for {} is not {}", of.value, of.key, wanted),
                    "correct it, or write " + of.key + ":s=… to store it as text");
}

void throw_edit_error(const std::string& key, const failure& why) {
  switch (static_cast<edit_error>(why.expected)) {
    case edit_error::no_key: throw usage_error("'" + key + "' does not name a key", "write a key such as mars.step");
    case edit_error::empty_name:
      throw usage_error("'" + key + "' contains an empty key", "separate the names by single dots");
    case edit_error::not_utf8: throw usage_error("'" + key + "' is not UTF-8", "keys must be UTF-8");
    case edit_error::origin:
      throw cli_error("'" + key + "' cannot be changed: it records the origin of the message",
                      "remove it from the command");
    case edit_error::storage:
      throw cli_error("'" + key + "' cannot be changed: keys with this name describe how elements are stored",
                      "remove it from the command; to store elements in another way, use `tgmap convert`");
    default: throw usage_error("'" + key + "' is not a key that can be set", "write names separated by dots");
  }
}

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#include "manual/command_model.hpp"

namespace tgmap::manual {

std::string usage_line(const std::string& name, const std::vector<option_model>& options) {
  std::string required, arguments;
  for (const option_model& each : options) {
    if (each.argument) {
      const std::string text = each.names.front() + (each.repeated ? "..." : "");
      arguments += each.required ? " " + text : " [" + text + "]";
    } else if (each.required) {
      required += " " + each.names.front() + (each.value.empty() ? "" : " " + each.value);
    }
  }
  return name + " [OPTIONS]" + required + arguments;
}

std::string option_term(const option_model& of) {
  std::string out;
  for (const std::string& name : of.names) out += (out.empty() ? "" : ", ") + name;
  return of.value.empty() ? out : out + " " + of.value;
}

}  // namespace tgmap::manual

// SPDX-License-Identifier: Apache-2.0
// Options that are given as names.
#pragma once

#include <initializer_list>
#include <string>

#include "cpp/interpreter/text.hpp"

namespace tgmap_python {

/// Returns the value of a name. Raises ValueError, with the names that are known, for any other one. `what` is the name
/// of the option.
template <class Choice>
Choice choice(std::string_view name, std::initializer_list<std::pair<const char*, Choice>> choices, const char* what) {
  std::string names;
  for (const auto& [known, value] : choices) {
    if (name == known) return value;
    names += names.empty() ? known : std::string(", ") + known;
  }
  throw nb::value_error((std::string(what) + " must be one of " + names + ", not '" + shown(name) + "'").c_str());
}

}  // namespace tgmap_python

// SPDX-License-Identifier: Apache-2.0
// Options that are given as names.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tgmap/enum_names.hpp>
#include <utility>

#include "cpp/interpreter/text.hpp"

namespace tgmap_python {

/// Names and what they stand for.
template <class Choice>
using named_choices = std::initializer_list<std::pair<std::string_view, Choice>>;

/// Returns the value of a name. Raises ValueError, with the names that are known, for any other one. `what` is the name
/// of the option.
template <class Choice>
Choice choice(std::string_view name, named_choices<Choice> choices, const char* what) {
  std::string names;
  for (const auto& [known, value] : choices) {
    if (name == known) return value;
    names.append(names.empty() ? "" : ", ").append(known);
  }
  throw nb::value_error((std::string(what) + " must be one of " + names + ", not '" + shown(name) + "'").c_str());
}

/// Does the same for values of an enumeration by their names in the library.
template <class Enum>
Enum choice(std::string_view name, std::initializer_list<Enum> values, const char* what) {
  const auto found = tgmap::from_string<Enum>(name);
  if (found && std::ranges::find(values, *found) != values.end()) return *found;
  std::string names;
  for (const Enum each : values) names.append(names.empty() ? "" : ", ").append(to_string_view(each));
  throw nb::value_error((std::string(what) + " must be one of " + names + ", not '" + shown(name) + "'").c_str());
}

}  // namespace tgmap_python

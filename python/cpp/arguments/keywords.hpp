// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <tgmap/options.hpp>
#include <type_traits>

#include "cpp/arguments/choices.hpp"

namespace tgmap_python {

/// A `keywords` is the keyword arguments of a call. Each is taken once; None counts as not given.
class keywords {
 public:
  explicit keywords(nb::kwargs given) : given_(std::move(given)) {}

  /// Removes a keyword. Returns its value; none if it is not given.
  nb::object take(const char* name);

  /// Removes a keyword and stores its value in `out`, if it is given. Returns true if it is.
  /// Raises TypeError or ValueError if it has the wrong type, or does not fit.
  bool take(const char* name, bool& out);
  bool take(const char* name, double& out);
  bool take(const char* name, std::string& out);
  template <std::integral Number>
  bool take(const char* name, Number& out) {
    const std::int64_t min = std::in_range<std::int64_t>(std::numeric_limits<Number>::min())
                                 ? static_cast<std::int64_t>(std::numeric_limits<Number>::min())
                                 : INT64_MIN;
    const std::int64_t max = std::in_range<std::int64_t>(std::numeric_limits<Number>::max())
                                 ? static_cast<std::int64_t>(std::numeric_limits<Number>::max())
                                 : INT64_MAX;
    std::int64_t number = 0;
    if (!take_integer(name, min, max, number)) return false;
    out = static_cast<Number>(number);
    return true;
  }
  template <class Number>
  bool take(const char* name, std::optional<Number>& out) {
    Number number{};
    if (!take(name, number)) return false;
    out = std::move(number);
    return true;
  }

  /// Removes a keyword whose value is a name, and stores what the name stands for: one of `choices`.
  template <class Choice>
  bool take(const char* name, named_choices<Choice> choices, Choice& out) {
    return take_choice(name, choices, out);
  }
  template <class Enum>
  bool take(const char* name, std::initializer_list<Enum> choices, Enum& out) {
    return take_choice(name, choices, out);
  }

  /// Returns the first keyword that was not taken; empty if all were.
  std::string first() const;

 private:
  template <class Choice, class Known>
  bool take_choice(const char* name, std::initializer_list<Known> choices, Choice& out) {
    std::string text;
    if (!take(name, text)) return false;
    out = choice<Choice>(text, choices, name);
    return true;
  }
  bool take_integer(const char* name, std::int64_t min, std::int64_t max, std::int64_t& out);

  nb::kwargs given_;
};

/// Returns the text of a value. Raises TypeError, with the name of the argument, if it is none.
std::string to_text(nb::handle value, const char* name);

}  // namespace tgmap_python

// SPDX-License-Identifier: Apache-2.0
// Validators for values of options.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <tgmap/enum_names.hpp>
#include <utility>
#include <vector>

namespace tgmap::cli {

/// A word and the value it stands for.
template <class Choice>
struct named_choice {
  std::string name;
  Choice value;
};

/// Returns values of an enumeration with their names in the library.
template <class Enum, class Choice = Enum>
std::vector<named_choice<Choice>> by_name(std::initializer_list<Enum> values) {
  std::vector<named_choice<Choice>> out;
  for (const Enum each : values) out.push_back({std::string(to_string_view(each)), each});
  return out;
}

/// Adds an option whose value is one of a few words; `take` receives the value of the word.
template <class Choice>
CLI::Option* add_choice(CLI::App& app, const std::string& option, const std::string& about,
                        const std::vector<named_choice<Choice>>& known, std::function<void(Choice)> take) {
  std::string words;
  for (const auto& each : known) words += (words.empty() ? "" : "|") + each.name;
  const auto choose = [option, words, known, take = std::move(take)](const std::string& given) {
    for (const auto& each : known)
      if (given == each.name) return take(each.value);
    throw CLI::ValidationError(option, "'" + given + "' is not one of " + words);
  };
  return app.add_option_function<std::string>(option, choose, about)->type_name(words);
}

/// Returns a validator that accepts every value, and offers these words to completion.
CLI::Validator offered_words(const std::vector<std::string>&);

/// Returns a validator for a decimal integer of 64 bits, at least `min`.
CLI::Validator integer_from(std::uint64_t min);

/// Returns a validator for a finite number, 0 or greater.
CLI::Validator non_negative_number();

/// Returns a validator for a size of at least one byte; replaces "64MiB" by "67108864".
CLI::Validator size_in_bytes();

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tgmap::cli {

/// A word, and what it stands for.
template <class Choice>
struct named_choice {
  std::string name;
  Choice value;
};

/// An option with a handful of words as its values; `take` is given what the word stands for.
template <class Choice>
CLI::Option* add_choice(CLI::App& app, const std::string& option, const std::string& about,
                        const std::vector<named_choice<Choice>>& known, std::function<void(Choice)> take) {
  std::string words;
  for (const auto& each : known) words += (words.empty() ? "" : "|") + each.name;
  const auto choose = [option, words, known, take = std::move(take)](const std::string& given) {
    for (const auto& each : known)
      if (given == each.name) return take(each.value);
    throw CLI::ValidationError(option, "'" + given + "' is none of " + words);
  };
  return app.add_option_function<std::string>(option, choose, about)->type_name(words);
}

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/mistake.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "cli/declared.hpp"
#include "cli/spelling.hpp"

namespace tgmap::cli {

namespace {

std::string with_nearest(std::string text, const std::string& wanted, const std::vector<std::string>& known) {
  const std::string near = wanted.size() == 2 && wanted[0] == '-' ? "" : nearest_word(wanted, known);
  return near.empty() ? text : text + "; did you mean '" + near + "'?";
}

/// The first of the arguments that looks like an option and is none of `known`.
std::optional<std::string> unknown_option(const std::vector<std::string>& arguments,
                                          const std::vector<std::string>& known) {
  const auto is_known = [&](const std::string& argument) {
    const std::string name =
        argument.starts_with("--") ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  for (const std::string& each : arguments) {
    if (each == "--") break;
    if (each.size() > 1 && each.front() == '-' && !is_known(each)) return each;
  }
  return std::nullopt;
}

/// CLI11 keeps the names of options that help does not show to itself.
std::string without_empty_name(const std::string& text) { return text.starts_with(": ") ? text.substr(2) : text; }

/// What CLI11 tells of a value that is no number, in other words: "Could not convert: --bits = x" of which option.
std::string with_value_told(const std::string& text) {
  constexpr std::string_view begin = "Could not convert: ", middle = " = ";
  const std::size_t end = text.find(middle);
  if (!text.starts_with(begin) || end == std::string::npos) return text;
  const std::string name = text.substr(begin.size(), end - begin.size());
  return name + ": '" + text.substr(end + middle.size()) + "' is no number that it takes";
}

std::vector<std::string> option_names(const CLI::App& of) {
  std::vector<std::string> out;
  for (const declared_option& each : declared_options(of))
    if (!each.argument) out.insert(out.end(), each.names.begin(), each.names.end());
  return out;
}

}  // namespace

std::string describe_mistake(const CLI::App& command, const std::vector<std::string>& arguments,
                             const CLI::ParseError& why) {
  const auto parsed = command.get_subcommands();
  std::string text = with_value_told(without_empty_name(why.what()));
  if (!parsed.empty() && dynamic_cast<const CLI::ExtrasError*>(&why) == nullptr) return text;

  const CLI::App& where = parsed.empty() ? command : *parsed.front();
  const auto verb = std::find(arguments.begin(), arguments.end(), where.get_name());
  if (verb != arguments.end())
    if (const auto option = unknown_option({arguments.begin(), verb}, option_names(command)))
      return "tgmap has no option '" + *option + "' before the verb";
  const std::vector<std::string> own(verb == arguments.end() ? arguments.begin() : verb + 1, arguments.end());
  if (parsed.empty()) {
    const auto word = std::find_if(own.begin(), own.end(), [](const std::string& each) { return each[0] != '-'; });
    if (word != own.end() && word == own.begin())
      return with_nearest("there is no verb '" + *word + "'", *word, verb_names(command));
  }
  const std::vector<std::string> known = option_names(where);
  if (const auto option = unknown_option(own, known))
    return with_nearest(where.get_name() + " has no option '" + *option + "'", option->substr(0, option->find('=')),
                        known);
  return parsed.empty() ? "a verb is missing" : text;
}

}  // namespace tgmap::cli

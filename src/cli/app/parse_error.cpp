// SPDX-License-Identifier: Apache-2.0
#include "cli/app/parse_error.hpp"

#include <algorithm>
#include <optional>

#include "cli/app/option_model.hpp"
#include "core/text/edit_distance.hpp"

namespace tgmap::cli {

namespace {

std::string with_nearest(std::string text, const std::string& wanted, const std::vector<std::string>& known) {
  const std::string near = wanted.size() == 2 && wanted[0] == '-' ? "" : nearest_word(wanted, known);
  return near.empty() ? text : text + "; did you mean '" + near + "'?";
}

/// Returns the first argument that looks like an option and is not in `known`.
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

/// CLI11 prints an empty name for options that are hidden in help.
std::string without_empty_name(const std::string& text) { return text.starts_with(": ") ? text.substr(2) : text; }

/// Rewrites CLI11's message about a value that is not a number: "Could not convert: --bits = x".
std::string with_value_told(const std::string& text) {
  constexpr std::string_view begin = "Could not convert: ", middle = " = ";
  const std::size_t end = text.find(middle);
  if (!text.starts_with(begin) || end == std::string::npos) return text;
  const std::string name = text.substr(begin.size(), end - begin.size());
  return name + ": '" + text.substr(end + middle.size()) + "' is not a number this option takes";
}

/// Returns the verbs from the outermost one down to `to`.
std::vector<const CLI::App*> verb_path(const CLI::App& to) {
  std::vector<const CLI::App*> out;
  for (const CLI::App* each = &to; each->get_parent() != nullptr; each = each->get_parent()) out.push_back(each);
  std::reverse(out.begin(), out.end());
  return out;
}

/// Returns "tens show" for a verb, "tgmap" for the command itself.
std::string name_below_command(const CLI::App& verb) {
  const std::string all = full_name(verb);
  return all.substr(all.find(' ') + 1);
}

std::vector<std::string> option_names(const CLI::App& of) {
  std::vector<std::string> out;
  for (const option_model& each : options_of(of))
    if (!each.argument) out.insert(out.end(), each.names.begin(), each.names.end());
  return out;
}

}  // namespace

std::string describe_parse_error(const CLI::App& command, const std::vector<std::string>& arguments,
                                 const CLI::ParseError& why) {
  const CLI::App& where = innermost(command);
  const bool unfinished = !verb_names(where).empty();  // a verb is still to come
  std::string text = with_value_told(without_empty_name(why.what()));
  if (!unfinished && dynamic_cast<const CLI::ExtrasError*>(&why) == nullptr) return text;

  std::vector<std::string> own = arguments;
  for (const CLI::App* above : verb_path(where)) {
    const auto verb = std::find(own.begin(), own.end(), above->get_name());
    if (verb == own.end()) break;
    if (const auto option = unknown_option({own.begin(), verb}, option_names(*above->get_parent())))
      return full_name(*above->get_parent()) + " has no option '" + *option + "' before the verb";
    own.erase(own.begin(), verb + 1);
  }
  if (unfinished) {
    const auto word = std::find_if(own.begin(), own.end(), [](const std::string& each) { return each[0] != '-'; });
    if (word != own.end() && word == own.begin())
      return with_nearest((&where == &command ? "there is" : where.get_name() + " has") + (" no verb '" + *word) + "'",
                          *word, verb_names(where));
  }
  const std::vector<std::string> known = option_names(where);
  if (const auto option = unknown_option(own, known))
    return with_nearest(name_below_command(where) + " has no option '" + *option + "'",
                        option->substr(0, option->find('=')), known);
  if (!unfinished || dynamic_cast<const CLI::RequiredError*>(&why) == nullptr) return text;
  return &where == &command ? "a verb is missing"
                            : where.get_name() + " needs a verb: " + CLI::detail::join(verb_names(where), ", ");
}

std::string nearest_word(std::string_view wanted, const std::vector<std::string>& words) {
  if (wanted.size() > 60) return {};
  std::string best;
  const std::size_t letters = wanted.size() - std::min(wanted.find_first_not_of('-'), wanted.size());
  std::size_t least = letters / 3 + 2;  // a letter or two in short words
  for (const std::string& word : words) {
    const std::size_t far = word.starts_with(wanted) && !wanted.empty() ? 1 : core::edit_distance(wanted, word);
    if (far < least && far < word.size()) {
      least = far;
      best = word;
    }
  }
  return best;
}

}  // namespace tgmap::cli

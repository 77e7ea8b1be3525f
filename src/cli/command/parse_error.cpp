// SPDX-License-Identifier: Apache-2.0
#include "cli/command/parse_error.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "cli/command/option_model.hpp"
#include "core/text/nearest_word.hpp"

namespace tgmap::cli {

namespace {

/// A verb of other programs, and the command that does the same here.
struct synonym {
  std::string_view word, command;
};

constexpr synonym synonyms[] = {{"cat", "tgmap copy FILE... OUT"},
                                {"check", "tgmap validate"},
                                {"compare", "tgmap diff"},
                                {"cp", "tgmap copy"},
                                {"csv", "tgmap extract --format csv"},
                                {"find", "tgmap ls -w CONDITION"},
                                {"fix", "tgmap copy --sound FILE OUT"},
                                {"get_data", "tgmap extract --format csv"},
                                {"grib_get_data", "tgmap extract --format csv"},
                                {"grep", "tgmap ls -w CONDITION"},
                                {"head", "tgmap ls FILE:..9"},
                                {"list", "tgmap ls"},
                                {"plot", "tgmap show"},
                                {"print", "tgmap show"},
                                {"recover", "tgmap copy --sound FILE OUT"},
                                {"repair", "tgmap copy --sound FILE OUT"},
                                {"rescue", "tgmap copy --sound FILE OUT"},
                                {"tail", "tgmap ls FILE:-10.."},
                                {"verify", "tgmap validate"},
                                {"view", "tgmap show"}};

/// Returns the command for a verb of other programs; empty if there is none.
std::string_view command_for(std::string_view word) {
  const auto found =
      std::find_if(std::begin(synonyms), std::end(synonyms), [&](const synonym& each) { return each.word == word; });
  return found != std::end(synonyms) ? found->command : std::string_view();
}

std::string with_nearest(std::string text, const std::string& wanted, const std::vector<std::string>& known) {
  const std::string nearest = wanted.size() == 2 && wanted[0] == '-' ? "" : core::nearest_word(wanted, known);
  return nearest.empty() ? text : text + "; did you mean '" + nearest + "'?";
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
    const bool is_option =
        each.size() > 1 && each.front() == '-' && std::string_view("0123456789.:@").find(each[1]) == each.npos;
    if (is_option && !is_known(each)) return each;
  }
  return std::nullopt;
}

/// CLI11 prints an empty name for options that are hidden in help.
std::string without_empty_name(const std::string& text) { return text.starts_with(": ") ? text.substr(2) : text; }

/// Returns `text` without the prefix `begin`, or nothing if it does not have that prefix.
std::optional<std::string> text_after(const std::string& text, std::string_view begin) {
  return text.starts_with(begin) ? std::optional(text.substr(begin.size())) : std::nullopt;
}

/// Returns the option of a verb or of the command, or null.
const CLI::Option* find_option(const CLI::App& verb, const std::string& name) {
  for (const CLI::App* each = &verb; each != nullptr; each = each->get_parent())
    if (const CLI::Option* const found = each->get_option_no_throw(name)) return found;
  return nullptr;
}

/// Rewrites CLI11's message about a value that is not a number: "Could not convert: --bits = x".
std::optional<std::string> describe_conversion(const CLI::App& verb, const std::string& text) {
  const auto rest = text_after(text, "Could not convert: ");
  const std::size_t end = rest ? rest->find(" = ") : std::string::npos;
  if (end == std::string::npos) return std::nullopt;
  const std::string name = rest->substr(0, end), value = rest->substr(end + 3);
  const CLI::Option* const option = find_option(verb, name);
  if (option != nullptr && option->get_items_expected_max() == 0)
    return name + " takes no value, but '" + value + "' was given";
  return name + ": '" + value + "' is not a number this option takes";
}

/// Rewrites CLI11's message about one option: "--limit: At Most 1 required but received 2".
std::string describe_option(const std::string& name, const std::string& text) {
  if (const auto count = text_after(text, "At Most 1 required but received "))
    return name + " is given " + *count + " times; give it once";
  constexpr std::string_view one = "1 required ", is_missing = " missing", range = "Value ", within = " not in range ";
  if (text.starts_with(one) && text.ends_with(is_missing))
    return name + " has no value; write " + name + " " +
           text.substr(one.size(), text.size() - one.size() - is_missing.size());
  if (const std::size_t list = text.find(" not in {"); list != std::string::npos && text.ends_with('}')) {
    std::string words = text.substr(list + 9, text.size() - list - 10);
    std::replace(words.begin(), words.end(), ',', '|');
    return name + ": '" + text.substr(0, list) + "' is not one of " + words;
  }
  const std::size_t middle = text.find(within);
  if (text.starts_with(range) && middle != std::string::npos)
    return name + ": '" + text.substr(range.size(), middle - range.size()) + "' is not a number from " +
           text.substr(middle + within.size());
  return name + ": " + text;
}

/// Replaces the name of an option that got its value from an environment variable by that of the variable.
std::string name_variable(const CLI::App& verb, const std::vector<std::string>& arguments, std::string text) {
  const std::string name = text.substr(0, text.find_first_of(": "));
  const CLI::Option* const option = name.starts_with("--") ? find_option(verb, name) : nullptr;
  if (option == nullptr || option->get_envname().empty() || std::getenv(option->get_envname().c_str()) == nullptr)
    return text;
  const bool is_given = std::any_of(arguments.begin(), arguments.end(), [&](const std::string& each) {
    return each == name || each.starts_with(name + "=");
  });
  return is_given ? text : "environment variable " + option->get_envname() + text.substr(name.size());
}

/// Returns CLI11's message in the words of this command.
std::string describe(const CLI::App& verb, const std::vector<std::string>& arguments, const CLI::ParseError& why) {
  std::string text = without_empty_name(why.what());
  if (const auto out = describe_conversion(verb, text)) return name_variable(verb, arguments, *out);
  for (const std::string_view begin :
       {"The following argument was not expected: ", "The following arguments were not expected: "})
    if (const auto rest = text_after(text, begin)) return "too many arguments: '" + *rest + "'";
  constexpr std::string_view excludes = " excludes ", requires_other = " requires ";
  if (const std::size_t at = text.find(excludes); dynamic_cast<const CLI::ExcludesError*>(&why) != nullptr)
    return text.substr(0, at) + " and " + text.substr(at + excludes.size()) + " cannot be combined; leave one out";
  if (const std::size_t at = text.find(requires_other); dynamic_cast<const CLI::RequiresError*>(&why) != nullptr)
    return text.substr(0, at) + " needs " + text.substr(at + requires_other.size());
  const std::size_t colon = text.find(": ");
  if (colon == std::string::npos || text.find(' ') < colon) return text;
  return name_variable(verb, arguments, describe_option(text.substr(0, colon), text.substr(colon + 2)));
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
  const bool unfinished = !verb_names(where).empty();  // another verb must follow
  std::string text = describe(where, arguments, why);
  const bool is_incomplete = dynamic_cast<const CLI::RequiredError*>(&why) != nullptr;
  if (!unfinished && !is_incomplete && dynamic_cast<const CLI::ExtrasError*>(&why) == nullptr) return text;

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
    if (word != own.end() && word == own.begin() && &where == &command && !command_for(*word).empty())
      return "there is no verb '" + *word + "'; did you mean `" + std::string(command_for(*word)) + "`?";
    if (word != own.end() && word == own.begin())
      return with_nearest((&where == &command ? "there is" : where.get_name() + " has") + (" no verb '" + *word) + "'",
                          *word, verb_names(where));
  }
  const std::vector<std::string> known = option_names(where);
  const auto option = unknown_option(own, known);
  if (option == "-v" && where.get_name() == "dump")
    return "dump has no option '-v'; did you mean `tgmap extract --format csv`?";  // values of elements
  if (option)
    return with_nearest(name_below_command(where) + " has no option '" + *option + "'",
                        option->substr(0, option->find('=')), known);
  if (!unfinished || !is_incomplete) return text;
  return &where == &command ? "a verb is missing"
                            : where.get_name() + " needs a verb: " + CLI::detail::join(verb_names(where), ", ");
}

}  // namespace tgmap::cli

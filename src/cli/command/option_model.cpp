// SPDX-License-Identifier: Apache-2.0
#include "cli/command/option_model.hpp"

#include <algorithm>

namespace tgmap::cli {

namespace {

/// Returns the words of "FORMAT:{npy,raw}", as CLI::IsMember writes them, or of "auto|always|never".
std::vector<std::string> words_of(const std::string& type) {
  if (type.find('|') != type.npos) return CLI::detail::split(type, '|');
  const std::size_t begin = type.find(":{"), end = type.find('}');
  if (begin == type.npos || end == type.npos) return {};
  return CLI::detail::split(type.substr(begin + 2, end - begin - 2), ',');
}

constexpr std::size_t max_value_width = 24;  // leaves room for the description beside it

/// Replaces a long list of words by a placeholder and lists them in the description.
void move_words_to_description(option_model& of) {
  of.value = "NAME";
  of.description += of.description.ends_with(':') ? " " : ": ";
  for (const std::string& word : of.words) of.description += (&word == &of.words.front() ? "" : ", ") + word;
}

option_model describe(const CLI::Option& from) {
  option_model out;
  for (const std::string& name : from.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : from.get_lnames()) out.names.push_back("--" + name);
  out.argument = out.names.empty();
  if (out.argument) out.names.push_back(from.get_name());
  const std::string type = from.get_type_name();
  if (!out.argument && from.get_items_expected_max() != 0) out.value = type.substr(0, type.find(':'));
  out.words = words_of(type);
  out.description = from.get_description();
  if (out.value.size() > max_value_width && !out.words.empty()) move_words_to_description(out);
  out.required = from.get_required();
  out.repeated = out.argument && from.get_items_expected_max() > 1;
  out.group = from.get_group();
  out.common = out.group == "Common";
  return out;
}

}  // namespace

std::vector<option_model> options_of(const CLI::App& of) {
  std::vector<option_model> out;
  for (const CLI::Option* each : of.get_options())
    if (!each->get_group().empty()) out.push_back(describe(*each));
  return out;
}

verb_model model_of(const CLI::App& of) {
  return {full_name(of), of.get_name(), of.get_description(), options_of(of), verbs_of(of)};
}

std::vector<verb_model> verbs_of(const CLI::App& of) {
  std::vector<verb_model> out;
  for (const CLI::App* each : of.get_subcommands({}))
    if (!each->get_group().empty()) out.push_back(model_of(*each));
  return out;
}

std::vector<std::string> verb_names(const CLI::App& of) {
  const std::vector<verb_model> verbs = verbs_of(of);
  std::vector<std::string> out(verbs.size());
  std::transform(verbs.begin(), verbs.end(), out.begin(), [](const verb_model& each) { return each.name; });
  return out;
}

const CLI::App& innermost(const CLI::App& command) {
  const auto parsed = command.get_subcommands();
  return parsed.empty() ? command : innermost(*parsed.front());
}

std::string full_name(const CLI::App& of) {
  const CLI::App* const above = of.get_parent();
  return above == nullptr ? of.get_name() : full_name(*above) + " " + of.get_name();
}

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#include "manual/completion/completion_script.hpp"

#include <fmt/format.h>

#include "manual/page.hpp"

namespace tgmap::manual {

bool takes_page_name(const option_model& of) { return of.argument && of.names.front() == "NAME"; }

namespace {

void append_paths(const std::vector<verb_model>& verbs, const std::string& prefix, std::vector<verb_path>& into) {
  for (const verb_model& each : verbs) {
    into.push_back({prefix + each.name, each});
    append_paths(each.verbs, prefix + each.name + " ", into);
  }
}

}  // namespace

word_kind kind_of_words(const option_model& of) {
  if (!of.words.empty() || takes_page_name(of)) return word_kind::fixed;
  for (const char* const key : {"KEYS", "KEY", "WHERE", "KEY=VALUE", "OLD=NEW"})
    if (of.value == key) return word_kind::keys;
  if (of.argument && of.names.front() == "FRAME") return word_kind::files;
  if (of.argument) return of.names.front().starts_with("FILE") ? word_kind::archives : word_kind::none;
  const bool names_file = of.value == "OUT" || of.value == "FILE" || of.value == "LIST" || of.names.front() == "-o";
  return names_file ? word_kind::files : word_kind::none;
}

std::vector<std::string> fixed_words(const option_model& of, const verb_model& command) {
  if (!takes_page_name(of)) return of.words;
  return page_names(command);
}

std::vector<verb_path> verb_paths(const verb_model& command) {
  std::vector<verb_path> out;
  append_paths(command.verbs, "", out);
  return out;
}

std::vector<std::string> names_of(const std::vector<verb_model>& verbs) {
  std::vector<std::string> out;
  out.reserve(verbs.size());
  for (const verb_model& each : verbs) out.push_back(each.name);
  return out;
}

std::string join_words(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string in_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\"'\"'";
    else
      out += c;
  }
  return out + "'";
}

}  // namespace tgmap::manual

// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/script.hpp"

#include "cli/manual/page.hpp"

namespace tgmap::cli::completion {

namespace {

bool names_a_page(const option_model& of) { return of.argument && of.names.front() == "NAME"; }

}  // namespace

offer offer_for(const option_model& of) {
  if (!of.words.empty() || names_a_page(of)) return offer::words;
  if (of.value == "KEYS" || of.value == "KEY" || of.value == "WHERE") return offer::keys;
  if (of.argument && of.names.front() == "FRAME") return offer::files;
  if (of.argument) return of.names.front().starts_with("FILE") ? offer::archives : offer::nothing;
  return of.value == "OUT" ? offer::files : offer::nothing;
}

std::vector<std::string> words_for(const option_model& of, const CLI::App& command) {
  if (!names_a_page(of)) return of.words;
  return manual::page_names(command);
}

namespace {

void place(const std::vector<verb_model>& verbs, const std::string& before, std::vector<placed_verb>& into) {
  for (const verb_model& each : verbs) {
    into.push_back({before + each.name, each});
    place(each.verbs, before + each.name + " ", into);
  }
}

}  // namespace

std::vector<placed_verb> placed_verbs(const CLI::App& command) {
  std::vector<placed_verb> out;
  place(verbs_of(command), "", out);
  return out;
}

std::vector<std::string> names_of(const std::vector<verb_model>& verbs) {
  std::vector<std::string> out;
  out.reserve(verbs.size());
  for (const verb_model& each : verbs) out.push_back(each.name);
  return out;
}

std::string joined(const std::vector<std::string>& words) { return CLI::detail::join(words, " "); }

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

}  // namespace tgmap::cli::completion

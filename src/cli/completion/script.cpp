// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/script.hpp"

#include "cli/manual/page.hpp"

namespace tgmap::cli::completion {

namespace {

bool names_a_page(const declared_option& of) { return of.argument && of.names.front() == "NAME"; }

}  // namespace

offer offer_for(const declared_option& of) {
  if (!of.words.empty() || names_a_page(of)) return offer::words;
  if (of.value == "KEYS" || of.value == "KEY" || of.value == "WHERE") return offer::keys;
  if (of.argument) return of.names.front().starts_with("FILE") ? offer::archives : offer::nothing;
  return of.value == "OUT" ? offer::files : offer::nothing;
}

std::vector<std::string> words_for(const declared_option& of, const CLI::App& command) {
  if (!names_a_page(of)) return of.words;
  std::vector<std::string> out = verb_names(command);
  for (const manual::topic& each : manual::topics()) out.emplace_back(each.name);
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

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/completion/script.hpp"

namespace tgmap::cli::completion {

namespace {

constexpr std::string_view fish_head = R"(# Completion of tgmap for fish; made by `tgmap completion fish`.

# Keys of the archive on the line.
function __tgmap_keys
    set -l line (commandline -opc)
    $line[1] __complete keys -- (commandline -ct) $line[2..-1] 2>/dev/null
end

complete -c tgmap -f
)";

/// What follows `-a`, and the flags that go with it.
std::string offered(const option_model& of, const CLI::App& command) {
  switch (offer_for(of)) {
    case offer::words: return " -x -a " + in_quotes(joined(words_for(of, command)));
    case offer::keys: return " -x -a '(__tgmap_keys)'";
    case offer::archives: return " -k -a '(__fish_complete_suffix .tgm)'";
    case offer::files: return " -r -F";
    case offer::nothing: break;
  }
  return of.argument ? "" : " -x";
}

/// One line, which holds when `condition` does.
std::string line(const option_model& of, const std::string& condition, const CLI::App& command) {
  std::string out = "complete -c tgmap -n " + in_quotes(condition);
  if (of.argument) return out + offered(of, command) + "\n";
  for (const std::string& name : of.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!of.value.empty()) out += offered(of, command);
  return out + " -d " + in_quotes(of.description) + "\n";
}

std::string seen(const std::string& words) { return "__fish_seen_subcommand_from " + words; }

std::string offered_verb(const std::string& condition, const verb_model& verb) {
  return fmt::format("complete -c tgmap -n {} -a {} -d {}\n", in_quotes(condition), verb.name, in_quotes(verb.summary));
}

/// Names that another verb has below it, too, as `tens show`: then that one is meant.
std::string not_below_another(const verb_model& verb, const std::vector<verb_model>& all) {
  std::string out;
  for (const verb_model& each : all)
    for (const verb_model& below : each.verbs)
      if (below.name == verb.name) out += "; and not " + seen(each.name);
  return out;
}

}  // namespace

std::string fish_script(const CLI::App& command) {
  std::string out(fish_head);
  for (const option_model& each : options_of(command)) out += line(each, "__fish_use_subcommand", command);
  const std::vector<verb_model> verbs = verbs_of(command);
  for (const verb_model& verb : verbs) {
    out += offered_verb("__fish_use_subcommand", verb);
    const std::string here = seen(verb.name) + not_below_another(verb, verbs);
    for (const option_model& each : verb.options)
      out += line(each, verb.verbs.empty() ? here : here + "; and not " + seen(joined(names_of(verb.verbs))), command);
    for (const verb_model& below : verb.verbs) {
      out += offered_verb(here + "; and not " + seen(joined(names_of(verb.verbs))), below);
      for (const option_model& each : below.options) out += line(each, here + "; and " + seen(below.name), command);
    }
  }
  return out;
}

}  // namespace tgmap::cli::completion

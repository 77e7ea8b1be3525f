// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "manual/completion/completion_script.hpp"

namespace tgmap::manual {

namespace {

constexpr std::string_view fish_head = R"(# Completion of tgmap for fish, written by `tgmap completion fish`.

# Keys of the archive on the command line.
function __tgmap_keys
    set -l line (commandline -opc)
    $line[1] __complete keys -- (commandline -ct) $line[2..-1] 2>/dev/null
end

complete -c tgmap -f
)";

/// Returns the flags that complete a value or an argument.
std::string value_flags(const option_model& of, const verb_model& command) {
  switch (kind_of_words(of)) {
    case word_kind::fixed: return " -x -a " + in_quotes(join_words(fixed_words(of, command)));
    case word_kind::keys: return " -x -a '(__tgmap_keys)'";
    case word_kind::archives: return " -k -a '(__fish_complete_suffix .tgm)'";
    case word_kind::files: return " -r -F";
    case word_kind::none: break;
  }
  return of.argument ? "" : " -x";
}

/// Returns the line for one option, valid under `condition`.
std::string option_line(const option_model& of, const std::string& condition, const verb_model& command) {
  std::string out = "complete -c tgmap -n " + in_quotes(condition);
  if (of.argument) return out + value_flags(of, command) + "\n";
  for (const std::string& name : of.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!of.value.empty()) out += value_flags(of, command);
  return out + " -d " + in_quotes(of.description) + "\n";
}

std::string has_seen(const std::string& words) { return "__fish_seen_subcommand_from " + words; }

std::string verb_line(const std::string& condition, const verb_model& verb) {
  return fmt::format("complete -c tgmap -n {} -a {} -d {}\n", in_quotes(condition), verb.name, in_quotes(verb.summary));
}

/// Returns a condition that excludes verbs of the same name below another verb: `show` is not `tens show`.
std::string not_below_another(const verb_model& verb, const std::vector<verb_model>& all) {
  std::string out;
  for (const verb_model& each : all)
    for (const verb_model& below : each.verbs)
      if (below.name == verb.name) out += "; and not " + has_seen(each.name);
  return out;
}

}  // namespace

std::string fish_script(const verb_model& command) {
  std::string out(fish_head);
  for (const option_model& each : command.options) out += option_line(each, "__fish_use_subcommand", command);
  const std::vector<verb_model>& verbs = command.verbs;
  for (const verb_model& verb : verbs) {
    out += verb_line("__fish_use_subcommand", verb);
    const std::string here = has_seen(verb.name) + not_below_another(verb, verbs);
    for (const option_model& each : verb.options)
      out += option_line(
          each, verb.verbs.empty() ? here : here + "; and not " + has_seen(join_words(names_of(verb.verbs))), command);
    for (const verb_model& below : verb.verbs) {
      out += verb_line(here + "; and not " + has_seen(join_words(names_of(verb.verbs))), below);
      for (const option_model& each : below.options)
        out += option_line(each, here + "; and " + has_seen(below.name), command);
    }
  }
  return out;
}

}  // namespace tgmap::manual

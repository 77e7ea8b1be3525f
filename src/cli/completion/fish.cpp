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
std::string offered(const declared_option& of, const CLI::App& command) {
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
std::string line(const declared_option& of, const std::string& condition, const CLI::App& command) {
  std::string out = "complete -c tgmap -n " + in_quotes(condition);
  if (of.argument) return out + offered(of, command) + "\n";
  for (const std::string& name : of.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!of.value.empty()) out += offered(of, command);
  return out + " -d " + in_quotes(of.description) + "\n";
}

}  // namespace

std::string fish_script(const CLI::App& command) {
  std::string out(fish_head);
  for (const declared_option& each : declared_options(command)) out += line(each, "__fish_use_subcommand", command);
  for (const declared_verb& verb : declared_verbs(command)) {
    out += fmt::format("complete -c tgmap -n __fish_use_subcommand -a {} -d {}\n", verb.name, in_quotes(verb.summary));
    for (const declared_option& each : verb.options)
      out += line(each, "__fish_seen_subcommand_from " + verb.name, command);
  }
  return out;
}

}  // namespace tgmap::cli::completion

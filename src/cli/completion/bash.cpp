// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/completion/script.hpp"

namespace tgmap::cli::completion {

namespace {

constexpr std::string_view bash_head = R"(# Completion of tgmap for bash; made by `tgmap completion bash`.

_tgmap_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }

_tgmap_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

_tgmap_archives() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -X '!*.tgm' -- "$cur"; compgen -d -- "$cur")
}

# Keys of the archive on the line. They come from a file: nothing here expands them.
_tgmap_keys() {
  compopt -o nospace 2>/dev/null
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" __complete keys -- "$cur" "${COMP_WORDS[@]:1}" 2>/dev/null)
}

_tgmap() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb='' word
  COMPREPLY=()
  if [[ $cur == '=' ]]; then  # --io=, whose sign is a word of its own here
    cur=
  elif [[ $prev == '=' && COMP_CWORD -ge 2 ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
)";

constexpr std::string_view bash_tail = R"(}

complete -F _tgmap tgmap
)";

std::string call(const option_model& of, const CLI::App& command) {
  switch (offer_for(of)) {
    case offer::words: return "_tgmap_words " + in_quotes(joined(words_for(of, command)));
    case offer::keys: return "_tgmap_keys";
    case offer::archives: return "_tgmap_archives";
    case offer::files: return "_tgmap_files";
    case offer::nothing: break;
  }
  return ":";
}

/// What can stand behind the verb, or where none stands yet.
std::string choice(const std::vector<option_model>& options, const CLI::App& command, const std::string& instead) {
  std::string values, names, argument = instead;
  for (const option_model& each : options) {
    if (each.argument) {
      argument = call(each, command);
      continue;
    }
    names += (names.empty() ? "" : " ") + joined(each.names);
    if (!each.value.empty())
      values += fmt::format("        {}) {}; return ;;\n", CLI::detail::join(each.names, " | "), call(each, command));
  }
  const std::string by_value = values.empty() ? "" : fmt::format("      case $prev in\n{}      esac\n", values);
  return by_value +
         fmt::format("      if [[ $cur == -* ]]; then _tgmap_words {}; else {}; fi\n", in_quotes(names), argument);
}

}  // namespace

std::string bash_script(const CLI::App& command) {
  const std::vector<placed_verb> verbs = placed_verbs(command);
  std::vector<std::string> places;
  places.reserve(verbs.size());
  for (const placed_verb& each : verbs) places.push_back(in_quotes(each.place));

  std::string out(bash_head);
  out += fmt::format(
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD - 1}}\"; do\n    case \"${{verb:+$verb }}$word\" in\n      {}) "
      "verb=${{verb:+$verb }}$word ;;\n    esac\n  done\n  case $verb in\n",
      CLI::detail::join(places, " | "));
  const auto offer_names = [](const std::vector<verb_model>& of) {
    return of.empty() ? ":" : "_tgmap_words " + in_quotes(joined(names_of(of)));
  };
  out += "    '')\n" + choice(options_of(command), command, offer_names(verbs_of(command))) + "      ;;\n";
  for (const placed_verb& each : verbs)
    out += fmt::format("    {})\n{}      ;;\n", in_quotes(each.place),
                       choice(each.verb.options, command, offer_names(each.verb.verbs)));
  return out + "  esac\n" + std::string(bash_tail);
}

}  // namespace tgmap::cli::completion

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "manual/completion/completion_script.hpp"

namespace tgmap::manual {

namespace {

constexpr std::string_view bash_head = R"(# Completion of tgmap for bash, written by `tgmap completion bash`.

_tgmap_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }

_tgmap_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

_tgmap_archives() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -X '!*.tgm' -- "$cur"; compgen -d -- "$cur")
}

# Keys of the archive on the command line. They come from a file, so nothing here may expand them.
_tgmap_keys() {
  compopt -o nospace 2>/dev/null
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" __complete keys -- "$cur" "${COMP_WORDS[@]:1}" 2>/dev/null)
}

_tgmap() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb='' word
  COMPREPLY=()
  if [[ $cur == '=' ]]; then  # bash splits words at =, as in --io=
    cur=
  elif [[ $prev == '=' && COMP_CWORD -ge 2 ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
)";

constexpr std::string_view bash_tail = R"(}

complete -F _tgmap tgmap
)";

/// Returns the code for the argument of `help`: all pages, and after a verb those below it.
std::string page_name_call(const option_model& of, const verb_model& command) {
  std::string out =
      fmt::format("case $prev in help) _tgmap_words {} ;;", in_quotes(join_words(fixed_words(of, command))));
  for (const verb_model& each : command.verbs)
    if (!each.verbs.empty())
      out += fmt::format(" {}) _tgmap_words {} ;;", each.name, in_quotes(join_words(names_of(each.verbs))));
  return out + " esac";
}

std::string completion_call(const option_model& of, const verb_model& command) {
  if (takes_page_name(of)) return page_name_call(of, command);
  switch (kind_of_words(of)) {
    case word_kind::fixed: return "_tgmap_words " + in_quotes(join_words(fixed_words(of, command)));
    case word_kind::keys: return "_tgmap_keys";
    case word_kind::archives: return "_tgmap_archives";
    case word_kind::files: return "_tgmap_files";
    case word_kind::none: break;
  }
  return ":";
}

/// Returns the code that completes the options and arguments of one verb. `instead` completes its first argument.
std::string complete_verb(const std::vector<option_model>& options, const verb_model& command,
                          const std::string& instead) {
  std::string values, names, argument = instead;
  for (const option_model& each : options) {
    if (each.argument) {
      argument = completion_call(each, command);
      continue;
    }
    names += (names.empty() ? "" : " ") + join_words(each.names);
    if (!each.value.empty())
      values +=
          fmt::format("        {}) {}; return ;;\n", fmt::join(each.names, " | "), completion_call(each, command));
  }
  const std::string by_value = values.empty() ? "" : fmt::format("      case $prev in\n{}      esac\n", values);
  return by_value +
         fmt::format("      if [[ $cur == -* ]]; then _tgmap_words {}; else {}; fi\n", in_quotes(names), argument);
}

}  // namespace

std::string bash_script(const verb_model& command) {
  const std::vector<verb_path> verbs = verb_paths(command);
  std::vector<std::string> paths;
  paths.reserve(verbs.size());
  for (const verb_path& each : verbs) paths.push_back(in_quotes(each.path));

  std::string out(bash_head);
  out += fmt::format(
      "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD - 1}}\"; do\n    case \"${{verb:+$verb }}$word\" in\n      {}) "
      "verb=${{verb:+$verb }}$word ;;\n    esac\n  done\n  case $verb in\n",
      fmt::join(paths, " | "));
  const auto complete_names = [](const std::vector<verb_model>& of) {
    return of.empty() ? ":" : "_tgmap_words " + in_quotes(join_words(names_of(of)));
  };
  out += "    '')\n" + complete_verb(command.options, command, complete_names(command.verbs)) + "      ;;\n";
  for (const verb_path& each : verbs)
    out += fmt::format("    {})\n{}      ;;\n", in_quotes(each.path),
                       complete_verb(each.verb.options, command, complete_names(each.verb.verbs)));
  return out + "  esac\n" + std::string(bash_tail);
}

}  // namespace tgmap::manual

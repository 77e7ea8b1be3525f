// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "manual/completion/completion_script.hpp"

namespace tgmap::manual {

namespace {

constexpr std::string_view zsh_head = R"zsh(#compdef tgmap
# Completion of tgmap for zsh, written by `tgmap completion zsh`.

_tgmap_archives() { _files -g '*.tgm(-.)' }

# Keys of the archive on the command line.
_tgmap_keys() {
  local -a found
  found=(${(f)"$($line_words[1] __complete keys -- "$PREFIX" "${(@)line_words[2,-1]}" 2>/dev/null)"})
  compadd -S '' -- $found
}

_tgmap() {
  local -a line_words
  line_words=("${words[@]}")
  local curcontext=$curcontext state line
  typeset -A opt_args
)zsh";

constexpr std::string_view zsh_tail = R"zsh(}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _tgmap "$@"
else
  compdef _tgmap tgmap
fi
)zsh";

/// Escapes brackets and colons, which _arguments would interpret.
std::string escape_colons(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string action_for(const option_model& of, const verb_model& command) {
  switch (kind_of_words(of)) {
    case word_kind::fixed: return "(" + join_words(fixed_words(of, command)) + ")";
    case word_kind::keys: return "_tgmap_keys";
    case word_kind::archives: return "_tgmap_archives";
    case word_kind::files: return "_files";
    case word_kind::none: break;
  }
  return " ";
}

std::string specification(const option_model& of, const verb_model& command) {
  if (of.argument)
    return in_quotes(fmt::format("{}:{}:{}", of.repeated ? "*" : "1", of.names.front(), action_for(of, command)));
  std::string out;
  const std::string value =
      of.value.empty() ? "" : fmt::format(":{}:{}", escape_colons(of.value), action_for(of, command));
  for (const std::string& name : of.names)  // separately, since some options may be repeated
    out += (out.empty() ? "" : " \\\n    ") + in_quotes(fmt::format("*{}{}[{}]{}", name,
                                                                    of.value.empty()         ? ""
                                                                    : name.starts_with("--") ? "="
                                                                                             : "+",
                                                                    escape_colons(of.description), value));
  return out;
}

/// Returns the call of _arguments for a verb: its options, and the verbs below it.
std::string arguments_call(const std::vector<option_model>& options, const std::vector<verb_model>& verbs,
                           const verb_model& command) {
  std::string out = verbs.empty() ? "_arguments" : "_arguments -C";
  for (const option_model& each : options) out += " \\\n    " + specification(each, command);
  if (verbs.empty()) return out + " ;;\n";
  out +=
      " \\\n    '1:verb:->verb' '*::argument:->argument'\n  case $state in\n    verb)\n      local -a verbs\n      "
      "verbs=(\n";
  for (const verb_model& each : verbs)
    out += "        " + in_quotes(each.name + ":" + escape_colons(each.summary)) + "\n";
  out += "      )\n      _describe verb verbs\n      ;;\n    argument)\n      case $words[1] in\n";
  for (const verb_model& each : verbs)
    out += "        " + each.name + ") " + arguments_call(each.options, each.verbs, command);
  return out + "      esac\n      ;;\n  esac ;;\n";
}

}  // namespace

std::string zsh_script(const verb_model& command) {
  std::string all = arguments_call(command.options, command.verbs, command);
  all.replace(all.rfind(" ;;"), 3, "");  // only valid inside a case
  return std::string(zsh_head) + "  " + all + std::string(zsh_tail);
}

}  // namespace tgmap::manual

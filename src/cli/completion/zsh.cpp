// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/completion/script.hpp"

namespace tgmap::cli::completion {

namespace {

constexpr std::string_view zsh_head = R"zsh(#compdef tgmap
# Completion of tgmap for zsh; made by `tgmap completion zsh`.

_tgmap_archives() { _files -g '*.tgm(-.)' }

# Keys of the archive on the line.
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

/// Text where _arguments takes brackets and colons for its own.
std::string escaped_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string action_for(const option_model& of, const CLI::App& command) {
  switch (offer_for(of)) {
    case offer::words: return "(" + joined(words_for(of, command)) + ")";
    case offer::keys: return "_tgmap_keys";
    case offer::archives: return "_tgmap_archives";
    case offer::files: return "_files";
    case offer::nothing: break;
  }
  return " ";
}

std::string specification(const option_model& of, const CLI::App& command) {
  if (of.argument)
    return in_quotes(fmt::format("{}:{}:{}", of.repeated ? "*" : "1", of.names.front(), action_for(of, command)));
  std::string out;
  const std::string value =
      of.value.empty() ? "" : fmt::format(":{}:{}", escaped_text(of.value), action_for(of, command));
  for (const std::string& name : of.names)  // each name by itself: some options may be given more than once
    out += (out.empty() ? "" : " \\\n    ") + in_quotes(fmt::format("*{}{}[{}]{}", name,
                                                                    of.value.empty()         ? ""
                                                                    : name.starts_with("--") ? "="
                                                                                             : "+",
                                                                    escaped_text(of.description), value));
  return out;
}

/// Of options, and of the verbs that may follow them.
std::string arguments(const std::vector<option_model>& options, const std::vector<verb_model>& verbs,
                      const CLI::App& command) {
  std::string out = verbs.empty() ? "_arguments" : "_arguments -C";
  for (const option_model& each : options) out += " \\\n    " + specification(each, command);
  if (verbs.empty()) return out + " ;;\n";
  out +=
      " \\\n    '1:verb:->verb' '*::argument:->argument'\n  case $state in\n    verb)\n      local -a verbs\n      "
      "verbs=(\n";
  for (const verb_model& each : verbs)
    out += "        " + in_quotes(each.name + ":" + escaped_text(each.summary)) + "\n";
  out += "      )\n      _describe verb verbs\n      ;;\n    argument)\n      case $words[1] in\n";
  for (const verb_model& each : verbs)
    out += "        " + each.name + ") " + arguments(each.options, each.verbs, command);
  return out + "      esac\n      ;;\n  esac ;;\n";
}

}  // namespace

std::string zsh_script(const CLI::App& command) {
  std::string all = arguments(options_of(command), verbs_of(command), command);
  all.replace(all.rfind(" ;;"), 3, "");  // stands in no case
  return std::string(zsh_head) + "  " + all + std::string(zsh_tail);
}

}  // namespace tgmap::cli::completion

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/query/known_keys.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/command/option_model.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/target.hpp"
#include "manual/completion/completion_script.hpp"
#include "manual/page.hpp"

namespace tgmap::cli {

namespace {

// Limits that keep the answer fast.
constexpr std::size_t completed_messages = 8;
constexpr std::uint64_t max_scanned = std::uint64_t{64} << 20;

bool is_safe_in_shell(std::string_view key) {
  return !key.empty() &&
         key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@-") == key.npos;
}

/// Opens the archive named by the first suitable word. Never opens pipes, because the actual command must read them.
archive first_archive(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    target named;
    try {
      named = parse_target(word);
    } catch (const usage_error&) {
      continue;
    }
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(named.file, ignored)) continue;
    failure why;
    archive opened = archive::open(named.file, {}, why);
    if (why) continue;
    if (opened.scan(max_scanned, {}, why).messages != 0) return opened;
  }
  return {};
}

/// Returns the completions of `begun`, the end of a comma-separated list of keys: the properties, and the keys of the
/// first messages of the first archive among `words`. Leaves out keys with characters that a shell would interpret,
/// because the archive may come from an untrusted source.
std::vector<std::string> complete_keys(const std::string& begun, const std::vector<std::string>& words) {
  known_keys found;
  const archive opened = first_archive(words);
  const std::size_t messages = opened ? std::min<std::size_t>(opened.scan_progress().messages, completed_messages) : 0;
  for (std::size_t i = 0; i < messages; ++i) {
    failure why;
    const message m = opened.at(i, why);
    if (why) break;
    found.add(m);
  }
  std::set<std::string> keys = found.names();
  for (const std::string& property : manual::property_names()) keys.insert(property);

  const std::size_t comma = begun.rfind(',');
  const std::string before = comma == begun.npos ? "" : begun.substr(0, comma + 1),
                    wanted = begun.substr(before.size());
  std::vector<std::string> out;
  for (const std::string& key : keys)
    if (key.starts_with(wanted) && is_safe_in_shell(key)) out.push_back(before + key);
  return out;
}

}  // namespace

action declare_completion(CLI::App& app, session& run) {
  const auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->type_name("");
  return [shell, &app, &run] {
    const verb_model command = model_of(*app.get_parent());
    run.out.write(*shell == "bash"  ? manual::bash_script(command)
                  : *shell == "zsh" ? manual::zsh_script(command)
                                    : manual::fish_script(command));
  };
}

/// Prints completions for the scripts. Never prints errors.
action declare_complete(CLI::App& app, session& run) {
  struct options {
    std::string what, begun;
    std::vector<std::string> words;
  };
  const auto given = std::make_shared<options>();
  app.add_option("WHAT", given->what)->required()->check(CLI::IsMember({"keys"}))->type_name("");
  app.add_option("BEGUN", given->begun)->type_name("");
  app.add_option("WORDS", given->words)->type_name("");
  return [given, &run] {
    for (const std::string& each : complete_keys(given->begun, given->words)) run.out.write(each + "\n");
  };
}

}  // namespace tgmap::cli

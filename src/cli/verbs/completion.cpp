// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/app/verb.hpp"
#include "cli/completion/complete_keys.hpp"
#include "cli/completion/completion_script.hpp"

namespace tgmap::cli {

action declare_completion(CLI::App& app, session& run) {
  const auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->type_name("");
  return [shell, &app, &run] {
    const CLI::App& command = *app.get_parent();
    run.out.write(*shell == "bash"  ? completion::bash_script(command)
                  : *shell == "zsh" ? completion::zsh_script(command)
                                    : completion::fish_script(command));
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
    for (const std::string& each : completion::complete_keys(given->begun, given->words)) run.out.write(each + "\n");
  };
}

}  // namespace tgmap::cli

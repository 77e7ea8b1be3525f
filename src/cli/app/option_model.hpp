// SPDX-License-Identifier: Apache-2.0
// The options of verbs, for help, manuals and completion.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tgmap::cli {

/// One option or argument of a verb, for help, manual pages, completion and error messages.
struct option_model {
  std::vector<std::string> names;  ///< "-w", "--where"; "FILE" for an argument
  std::string value;               ///< placeholder of its value, "WHERE"; empty for a flag
  std::vector<std::string> words;  ///< the values it accepts, if they are a fixed set
  std::string description;
  bool argument = false;  ///< positional
  bool required = false;
  bool repeated = false;
  bool common = false;  ///< taken by every verb
  std::string group{};  ///< section of help: "Options", "Storing"
};

/// Returns the options and arguments of the command or a verb in the order declared, without hidden ones.
std::vector<option_model> options_of(const CLI::App&);

/// One verb, and the verbs below it.
struct verb_model {
  std::string name, summary;
  std::vector<option_model> options;
  std::vector<verb_model> verbs{};
};

/// Returns the verbs of the command, or those below a verb.
std::vector<verb_model> verbs_of(const CLI::App&);

/// Returns their names.
std::vector<std::string> verb_names(const CLI::App&);

/// Returns the innermost verb that was parsed, or the command itself if none was.
const CLI::App& innermost(const CLI::App& command);

/// Returns for example "tgmap tens show".
std::string full_name(const CLI::App&);

/// Returns for example "tgmap get [OPTIONS] -p KEYS FILE...".
std::string usage_line(const std::string& name, const std::vector<option_model>&);

/// Returns for example "-w, --where WHERE".
std::string option_term(const option_model&);

}  // namespace tgmap::cli

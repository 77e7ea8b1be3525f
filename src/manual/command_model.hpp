// SPDX-License-Identifier: Apache-2.0
// A command with its verbs and options, as data: for help, manual pages, completion and error messages.
#pragma once

#include <string>
#include <vector>

namespace tgmap::manual {

/// One option or argument of a verb.
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

/// The command or one of its verbs, and the verbs below it.
struct verb_model {
  std::string full_name;  ///< "tgmap", "tgmap tens show"
  std::string name, summary;
  std::vector<option_model> options;
  std::vector<verb_model> verbs{};

  bool is_command() const noexcept { return full_name == name; }
};

/// Returns for example "tgmap get [OPTIONS] -p KEYS FILE...".
std::string usage_line(const std::string& name, const std::vector<option_model>&);

/// Returns for example "-w, --where WHERE".
std::string option_term(const option_model&);

}  // namespace tgmap::manual

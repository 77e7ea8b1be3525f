// SPDX-License-Identifier: Apache-2.0
// What verbs have declared, for those that show it: help, manuals and completion.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tgmap::cli {

/// One option or argument.
struct declared_option {
  std::vector<std::string> names;  ///< "-w", "--where"; of an argument "FILE"
  std::string value;               ///< what is to be given: "WHERE"; empty: nothing, it is a flag
  std::vector<std::string> words;  ///< the values it can take, when they are known
  std::string description;
  bool argument = false;  ///< known by its place
  bool required = false;
  bool repeated = false;
  bool common = false;  ///< every verb takes it
};

/// What the command, or a verb of it, takes, in the order declared; what is in no group is hidden.
std::vector<declared_option> declared_options(const CLI::App&);

/// One verb, and those below it.
struct declared_verb {
  std::string name, summary;
  std::vector<declared_option> options;
  std::vector<declared_verb> verbs{};
};

/// Those of the command, or below a verb.
std::vector<declared_verb> declared_verbs(const CLI::App&);

/// Their names alone.
std::vector<std::string> verb_names(const CLI::App&);

/// The verb that was parsed, or the one below it that was; the command itself: none was.
const CLI::App& innermost(const CLI::App& command);

/// "tgmap tens show".
std::string full_name(const CLI::App&);

/// "tgmap get [OPTIONS] -p KEYS FILE...".
std::string usage_line(const std::string& name, const std::vector<declared_option>&);

/// "-w, --where WHERE".
std::string option_term(const declared_option&);

}  // namespace tgmap::cli

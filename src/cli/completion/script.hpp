// SPDX-License-Identifier: Apache-2.0
// Scripts that teach shells to complete the command, made of what the verbs declare.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/app/option_model.hpp"

namespace tgmap::cli::completion {

std::string bash_script(const CLI::App& command);
std::string zsh_script(const CLI::App& command);
std::string fish_script(const CLI::App& command);

/// What a shell can offer in the place of a value.
enum class offer : unsigned char {
  words,     ///< those that are known
  keys,      ///< of the archive on the line, asked for with `tgmap __complete keys`
  archives,  ///< files *.tgm, and directories
  files,
  nothing,
};

offer offer_for(const option_model&);

/// The words of `offer::words`: of the option, or for the argument of `help` all verbs and topics.
std::vector<std::string> words_for(const option_model&, const CLI::App& command);

/// A verb with what leads to it, "tens show", whatever else the words of a line may be.
struct placed_verb {
  std::string place;
  verb_model verb;
};

/// All verbs, those below others behind them.
std::vector<placed_verb> placed_verbs(const CLI::App& command);

/// Their names.
std::vector<std::string> names_of(const std::vector<verb_model>&);

/// Joined by blanks.
std::string joined(const std::vector<std::string>&);

/// In single quotes, as all three shells read it: no quote in `text` ends them early.
std::string in_quotes(const std::string& text);

}  // namespace tgmap::cli::completion

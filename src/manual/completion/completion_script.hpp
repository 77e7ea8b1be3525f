// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "manual/command_model.hpp"

namespace tgmap::manual {

std::string bash_script(const verb_model& command);
std::string zsh_script(const verb_model& command);
std::string fish_script(const verb_model& command);

/// The kind of words that a shell offers for a value.
enum class word_kind : unsigned char {
  fixed,     ///< a list of words in the script
  keys,      ///< keys of the archive on the command line, from `tgmap __complete keys`
  archives,  ///< *.tgm files and directories
  files,
  none,
};

word_kind kind_of_words(const option_model&);

/// Returns true for the argument of `tgmap help`: a verb or a topic, or a verb and one below it.
bool takes_page_name(const option_model&);

/// Returns the words of `word_kind::fixed`: those of the option, or all page names for the argument of `help`.
std::vector<std::string> fixed_words(const option_model&, const verb_model& command);

/// A verb with its full name, such as "tens show".
struct verb_path {
  std::string path;
  verb_model verb;
};

/// Returns all verbs, each followed by the verbs below it.
std::vector<verb_path> verb_paths(const verb_model& command);

std::vector<std::string> names_of(const std::vector<verb_model>&);

/// Joins words with spaces.
std::string join_words(const std::vector<std::string>&);

/// Puts a text in single quotes for all three shells, and escapes quotes in it.
std::string in_quotes(const std::string& text);

}  // namespace tgmap::manual

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tgmap::cli {

/// The place of the input files among the positional arguments of a verb.
enum class file_place : std::uint8_t {
  all,            ///< every argument is an input
  before_output,  ///< the last argument is the output
  after_archive,  ///< the first argument is the archive that is changed
};

/// Lets a verb take inputs from lists. Adds --from, and replaces each argument `@LIST` by the lines of LIST after the
/// command line was parsed. An argument that names an existing file is that file.
///
/// The lines are addresses as on the command line, without quotes; empty lines are skipped. Lines are not expanded
/// again. Errors, when the verb is run: usage_error if a list is empty or standard input is used twice; cli_error for a
/// list with zero bytes; file_error.
void add_file_lists(CLI::App&, CLI::Option& files, std::vector<std::string>& into, file_place = file_place::all);

/// Does the same for verbs in which an option decides what the last argument is. `place` is called after parsing.
void add_file_lists(CLI::App&, CLI::Option& files, std::vector<std::string>& into, std::function<file_place()> place);

/// Adds targets as positional arguments, at least one, and --from; `forms` describes what each may be. Standard input
/// must be named.
void add_targets(CLI::App&, std::vector<std::string>& into, const std::string& forms);

/// The forms of a target that most verbs take, for help.
inline constexpr const char* target_forms =
    "FILE, FILE:MESSAGE, FILE:MESSAGE:OBJECT, FILE@OFFSET or FILE@OFFSET:OBJECT; numbers may be ranges such as 2..5 or "
    "-3..";

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// The options of verbs that write files.
struct output_options {
  bool no_clobber = false;    ///< fail if the output exists
  bool force = false;         ///< replace without asking
  bool no_sync = false;       ///< do not wait for the disk
  bool dry_run = false;       ///< only report
  bool takes_folder = false;  ///< the verb chooses names in a folder
  bool is_text = false;       ///< a terminal may get the output
  bool write_index = false;   ///< write the index beside each archive, too
};

/// Adds --no-clobber, --force and --no-sync.
void add_output_options(CLI::App&, output_options& into);

/// Adds --dry-run.
void add_dry_run(CLI::App&, output_options& into);

/// Returns true if the command runs at a terminal, so that a person can answer questions.
bool can_ask();

enum class replace_answer { no, yes, all };

/// Asks whether the file may be replaced. `all` holds for all other outputs, too.
replace_answer ask_to_replace(const std::string& name, session&);

/// Prints one line about the output `name`, on standard error if the output itself is standard output. Escapes `line`.
void report_output(session&, const std::string& name, const std::string& line);

/// Errors: usage_error if the output `name`, which gets binary data, is a terminal.
void refuse_binary_at_terminal(int descriptor, const std::string& name);

/// Checks that the output is not the target's file, under any name. Errors: cli_error.
void refuse_to_overwrite(const target& input, const std::string& output);

/// Checks the output of verbs that may replace an input because they write a temporary file first. An inherited
/// descriptor (`- 1<>x.tgm`) is written in place, so it must not be an input unless it appends. Errors: cli_error.
void refuse_to_overwrite_in_place(const std::vector<target>& inputs, const std::string& output);

}  // namespace tgmap::cli

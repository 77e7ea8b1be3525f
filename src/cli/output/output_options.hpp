// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// The options of verbs that write files.
struct output_options {
  bool no_clobber = false;  ///< fail if the output exists
  bool force = false;       ///< replace without asking
  bool no_sync = false;     ///< do not wait for the disk
  bool dry_run = false;     ///< only report
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

}  // namespace tgmap::cli

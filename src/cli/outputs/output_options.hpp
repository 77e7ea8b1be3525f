// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// What verbs that write let people say about their outputs.
struct output_options {
  bool no_clobber = false;  ///< what is there is not replaced
  bool force = false;       ///< nor asked about
  bool no_sync = false;     ///< not waited for until it is on the disk
  bool dry_run = false;     ///< told, not done
};

/// Adds --no-clobber, --force and --no-sync.
void add_output_options(CLI::App&, output_options& into);

/// Adds --dry-run.
void add_dry_run(CLI::App&, output_options& into);

/// Whether people sit there who can be asked.
bool somebody_to_ask();

/// What was said to replacing one of several files.
enum class answer { no, yes, all };
answer ask_to_replace(const std::string& name, session&);

}  // namespace tgmap::cli

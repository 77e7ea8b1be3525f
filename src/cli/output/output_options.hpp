// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"
#include "edit/output/output_location.hpp"
#include "edit/output/output_set.hpp"

namespace tgmap::cli {

using edit::is_standard_output;
using edit::named_descriptor;

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

/// Says that the index of an archive was not extended, unless there was no failure.
void report_outdated_index(const std::string& archive, const failure&, session&);

/// Adds --write-index.
void add_write_index(CLI::App&, bool& into);

/// Returns an empty set of outputs: a person at a terminal is asked before a file is replaced, no terminal gets binary
/// data unless `is_text`, and a hint tells that the index of a replaced file was removed. Lifetime: the session must
/// outlive the result.
edit::output_set outputs_for(const output_options&, session&);

/// Reports that the outputs are not finished because of an earlier error: nothing was written, or pipes and devices
/// got the first bytes. `name` is the output in the message.
void report_unfinished(const edit::output_set&, const std::string& name, session&);

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

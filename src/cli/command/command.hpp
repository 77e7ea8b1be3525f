// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "cli/command/verb.hpp"

namespace tgmap::cli {

/// The `tgmap` command with its verbs.
class command {
 public:
  /// Declares the options of all verbs, for help, manual and completion.
  explicit command(session&);
  /// Declares only the options of verbs named in the arguments: declaring all takes longer than most verbs run.
  command(session&, int argc, char** argv);

  CLI::App& app() noexcept { return app_; }

  /// Parses the arguments and runs the verb. Help and version are written to the session's output.
  /// Errors: usage_error, always with a next step; by default to read the help of the verb.
  void run(int argc, char** argv);

 private:
  command(session&, const verb_filter& needed);
  bool parse(int argc, char** argv);

  CLI::App app_;
  session& run_;
  action act_;
};

/// Runs the command with the arguments of `main` and returns its exit status. Prepares the process: standard
/// descriptors, limits, signals and the mapping guard.
int run_command(int argc, char** argv);

}  // namespace tgmap::cli

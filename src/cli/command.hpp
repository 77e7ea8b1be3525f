// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "cli/verb.hpp"

namespace tgmap::cli {

/// The command with its verbs, not yet parsed.
class command {
 public:
  /// With the options of all verbs, for those that show them.
  explicit command(session&);
  /// With the options of verbs that these arguments can mean: to declare them all takes longer than most verbs do.
  command(session&, int argc, char** argv);

  CLI::App& app() noexcept { return app_; }

  /// Parses and runs. What is asked of help or the version goes to the session's output. Throws usage_error, always
  /// with a next step: where there is none of its own, to read the help of the verb.
  void run(int argc, char** argv);

 private:
  command(session&, const verb_chooser& needed);
  bool parse(int argc, char** argv);

  CLI::App app_;
  session& run_;
  action act_;
};

}  // namespace tgmap::cli

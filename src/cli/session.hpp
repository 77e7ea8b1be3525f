// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/options.hpp>

#include "cli/output.hpp"
#include "cli/report.hpp"

namespace tgmap::cli {

/// What all verbs share in one run of the command.
struct session {
  output out;
  reporter report{out};
  io_mode io = io_mode::automatic;
  unsigned threads = 0;  ///< that work at once; 0: one for each core
  bool progress = true;  ///< may be shown

  /// Results and errors alone.
  void quiet() noexcept {
    progress = false;
    report.without_hints();
  }
};

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tgmap/decode/executor.hpp>
#include <tgmap/options.hpp>
#include <tgmap/write/pipeline.hpp>

#include "cli/decode_limits.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

namespace tgmap::cli {

/// What all verbs share in one run of the command.
struct session {
  output out;
  reporter report{out};
  io_mode io = io_mode::automatic;
  unsigned threads = 0;       ///< that work at once; 0: one for each core
  bool progress = true;       ///< may be shown
  missing_options missing{};  ///< what becomes of NaN and infinities that are written
  decode_limits limits{};

  std::unique_ptr<executor> own_workers{}, own_decoders{};  ///< once there are any

  /// So many threads; made when they are first asked for.
  executor& workers() {
    if (threads == 0) return shared_executor();
    if (!own_workers) own_workers = make_executor(threads);
    return *own_workers;
  }

  /// As many of them as may hold decoded objects at one time.
  executor& decoders() {
    const unsigned width = workers().concurrency(), fitting = limits.threads(width);
    if (fitting == width) return workers();
    if (!own_decoders) own_decoders = make_executor(fitting);
    return *own_decoders;
  }

  /// Results and errors alone.
  void quiet() noexcept {
    progress = false;
    report.without_hints();
  }
};

}  // namespace tgmap::cli

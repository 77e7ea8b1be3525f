// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/options.hpp>
#include <tgmap/tools/grid.hpp>
#include <tgmap/write/pipeline.hpp>

#include "cli/app/decode_limits.hpp"
#include "cli/app/output.hpp"
#include "cli/app/report.hpp"

namespace tgmap::cli {

class selection_outcome;

/// State of one run of the command, shared by its verb and helpers: output, report and common options.
struct session {
  output out;
  reporter report{out};
  io_mode io = io_mode::automatic;
  index_use index = index_use::use;
  bool index_cache = false;      ///< look for indexes in the cache folder, too
  std::string trust_index_of{};  ///< users whose indexes are used, too
  unsigned threads = 0;          ///< number of threads; 0: one per core
  bool progress = true;          ///< show progress bars
  missing_options missing{};     ///< how NaN and infinities are written
  decode_limits limits{};
  std::shared_ptr<selection_outcome> selected{};  ///< of the selections of this run; null if there were none
  std::optional<archive> standard_input{};        ///< if it was opened before the work; it can be read only once

  std::unique_ptr<executor> own_workers{}, own_decoders{};  ///< created on first use

  /// Returns the executor with `threads` threads.
  executor& workers() {
    if (threads == 0) return shared_executor();
    if (!own_workers) own_workers = make_executor(threads);
    return *own_workers;
  }

  /// Returns an executor with as many threads as may hold decoded objects at the same time.
  executor& decoders() {
    const unsigned width = workers().concurrency(), fitting = limits.threads(width);
    if (fitting == width) return workers();
    if (!own_decoders) own_decoders = make_executor(fitting);
    return *own_decoders;
  }

  std::unique_ptr<grid_provider> own_grids{};  ///< created on first use
  const grid_provider* grid_list[1] = {};

  /// Returns the providers of coordinates of native grids; none if the command was built without them.
  std::span<const grid_provider* const> grids();

  /// Turns off hints and progress; results and errors remain.
  void quiet() noexcept {
    progress = false;
    report.disable_hints();
  }
};

}  // namespace tgmap::cli

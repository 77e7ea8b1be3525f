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
};

}  // namespace tgmap::cli

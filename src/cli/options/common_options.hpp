// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// Adds the options that every verb takes, before or after its name: --io, --threads, --color, --no-progress, -q.
void add_common_options(CLI::App&, session&);

}  // namespace tgmap::cli

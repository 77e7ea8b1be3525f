// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "cli/session.hpp"

namespace tgmap::cli {

/// What every verb takes, before its name or behind it: --io, --threads, --color, --no-progress, -q.
void add_common_options(CLI::App&, session&);

}  // namespace tgmap::cli

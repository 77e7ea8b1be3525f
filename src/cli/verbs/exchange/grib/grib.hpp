// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "cli/command/verb.hpp"

namespace tgmap::cli {

// The verbs of `import` and `export`.
action declare_grib_import(CLI::App&, session&);
action declare_grib_export(CLI::App&, session&);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/app/verb.hpp"

namespace tgmap::cli {

// The verbs of `constant`.
action declare_constant_check(CLI::App&, session&);
action declare_constant_cells(CLI::App&, session&);
action declare_constant_get(CLI::App&, session&);
action declare_constant_import(CLI::App&, session&);
action declare_constant_export(CLI::App&, session&);
action declare_constant_sample(CLI::App&, session&);

}  // namespace tgmap::cli

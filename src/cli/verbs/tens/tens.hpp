// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/app/verb.hpp"

namespace tgmap::cli {

// The verbs of `tens`.
action declare_tens_show(CLI::App&, session&);
action declare_tens_import(CLI::App&, session&);
action declare_tens_export(CLI::App&, session&);
action declare_tens_keys(CLI::App&, session&);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// Says in one line what was written to that output: on standard output, unless that is what was written to. The text
/// may come from files: it is escaped here.
void tell_of_output(session&, const std::string& name, const std::string& line);

}  // namespace tgmap::cli

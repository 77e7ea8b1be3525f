// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/index_status.hpp>
#include <tgmap/tools/explain.hpp>

#include "cli/app/output.hpp"

namespace tgmap::cli {

/// Prints tables of facts, obstacles and steps.
void print_access(const access_report&, output&);

/// Returns why an index does not answer: "none", "not current", or why it is not used.
std::string why_unused(const index_status&);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/index_status.hpp>
#include <tgmap/tools/explain.hpp>

#include "cli/app/output.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

/// Prints tables of facts, obstacles and steps.
void print_access(const access_report&, output&);

/// Returns the same as JSON.
json access_json(const std::string& file, const access_report&);

/// Returns why an index does not answer: "none", "not current", or why it is not used.
std::string why_unused(const index_status&);

/// Returns if an index is used, and how far it was compared, or why it is not.
json index_json(const index_status&);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
// How `explain` shows what an access took.
#pragma once

#include <string>
#include <tgmap/tools/explain.hpp>

#include "cli/json.hpp"
#include "cli/output.hpp"

namespace tgmap::cli {

/// Tables: what was reached, what has to be undone, and the steps.
void print_access(const access_report&, output&);

/// The same for programs.
json access_json(const std::string& file, const access_report&);

/// "compression", "byte order": what stands in the way, in a word or two.
std::string_view obstacle_name(errc) noexcept;

}  // namespace tgmap::cli

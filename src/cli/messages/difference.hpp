// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/tools/compare.hpp>

#include "reports/difference_json.hpp"

namespace tgmap::cli {

/// Returns one line without a line break.
std::string as_text(const reports::named_pair&, const difference&);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/pipeline_options.hpp"

namespace tgmap::cli {

/// Throws usage_error that names the flag whose number no codec takes, and what it may be.
void check_ranges(const pipeline_options&);

}  // namespace tgmap::cli

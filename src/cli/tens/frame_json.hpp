// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/print/json.hpp"
#include "cli/tens/frame_description.hpp"

namespace tgmap::cli {

/// One object, as docs/schema/tens_show.json has it.
json frame_json(const std::string& file, const frame_description&);

}  // namespace tgmap::cli

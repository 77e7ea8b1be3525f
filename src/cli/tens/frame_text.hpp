// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/app/output.hpp"
#include "cli/tens/frame_description.hpp"

namespace tgmap::cli {

/// Headers, label, and a row for each tensor; parts that no tensor is in below them.
void write_frame_text(const std::string& file, const frame_description&, output&);

}  // namespace tgmap::cli

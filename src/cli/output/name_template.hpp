// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "edit/output/file_template.hpp"

namespace tgmap::cli {

/// Returns the template for file names. Errors: usage_error.
edit::file_template parse_template(const std::string& text);

}  // namespace tgmap::cli

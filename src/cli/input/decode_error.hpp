// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/object.hpp>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

/// Returns the error to report for an object that could not be decoded, with the next step, such as the build option of
/// a codec. `name` is the address of the object in `file`.
cli_error decode_error(const object&, const failure&, const std::string& name, const std::string& file);

}  // namespace tgmap::cli

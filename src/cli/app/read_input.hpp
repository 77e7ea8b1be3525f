// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "convert/file_bytes.hpp"

namespace tgmap::cli {

/// Reads a whole file; "-" is standard input. Errors: file_error; cli_error for a folder, or if the file shrinks while
/// it is read.
convert::file_bytes read_input(const std::string& file);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/archive.hpp>

namespace tgmap::cli {

struct session;

/// Compares the decoded elements of all objects of two archives, message by message, and returns the number of equal
/// objects. Skips incomplete messages, and objects that cannot be decoded in `before`. `file` is shown in the progress
/// bar. Errors: throws cli_error for the first difference; tgmap::error.
std::uint64_t verify_elements(const archive& before, const archive& after, const std::string& file, session&);

}  // namespace tgmap::cli

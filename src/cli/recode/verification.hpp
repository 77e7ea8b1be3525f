// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/archive.hpp>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// Holds the elements of every object of one archive, decoded, against those of another, message by message; incomplete
/// messages count in neither. What cannot be decoded in the first one need not be in the second. Returns how many
/// objects were equal. Throws cli_error about the first that differs; tgmap::error.
std::uint64_t verify_elements(const archive& before, const archive& after, const std::string& what, session&);

}  // namespace tgmap::cli

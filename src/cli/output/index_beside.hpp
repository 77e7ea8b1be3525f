// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// Adds --write-index.
void add_write_index(CLI::App&, bool& into);

/// Writes the index beside an archive that is complete, or extends the one that is there. Errors: cli_error, which
/// names the index.
void write_index_beside(const std::string& archive, session&);

/// Does the same, unless the index is current and describes the whole archive.
void complete_index_beside(const std::string& archive, session&);

/// Removes the index beside an archive that was replaced, and says so.
void remove_index_beside(const std::string& archive, session&);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "edit/metadata/new_metadata.hpp"

namespace tgmap::cli {

/// Values of --meta and -s.
struct metadata_options {
  std::optional<std::string> meta{};
  std::vector<std::string> assignments{};
};

/// Adds --meta and -s.
void add_metadata_options(CLI::App&, metadata_options& into);

/// Returns the metadata of new objects and messages: from --meta, then from -s.
/// Errors: usage_error; file_error if the file that --meta names cannot be read.
edit::new_metadata make_metadata(const metadata_options&);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "cli/print/json.hpp"
#include "cli/print/json_stream.hpp"

namespace tgmap::cli {

/// Appends a value to a line, as text that is safe to print.
void append_value(const key_result&, std::string& line);

/// Returns the keys that are present as JSON members: as text, or with `typed` as in the metadata. Errors:
/// tgmap::error.
json key_members(std::span<const metadata_key>, key_lookup&, bool typed);

/// Returns the same members for a json_stream.
std::vector<json_stream::member> stream_members(std::span<const metadata_key>, key_lookup&, bool typed);

/// Adds --typed.
void add_typed(CLI::App&, bool& into);

}  // namespace tgmap::cli

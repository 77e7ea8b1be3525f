// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "cli/print/json.hpp"
#include "cli/print/json_stream.hpp"
#include "cli/print/shown_key.hpp"

namespace tgmap::cli {

/// Appends a value to a line, as text that is safe to print.
void append_value(const key_result&, std::string& line);

/// Returns `file` and the keys that are present as JSON members: numbers, lists and maps as such. A key named "file"
/// takes the place of the file. Errors: tgmap::error.
json key_members(const std::string& file, std::span<const shown_key>, key_lookup&);

/// Returns the same members for a json_stream: as text, or with `typed` as in the metadata. A key with a type has it.
std::vector<json_stream::member> stream_members(std::span<const shown_key>, key_lookup&, bool typed);

/// Accepts --typed, which scripts may give: JSON of `ls` and `get` is always typed.
void add_typed(CLI::App&);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "collection/typed_key.hpp"
#include "reports/json_stream.hpp"

namespace tgmap::cli {

using archives::key_source;
using archives::typed_key;

/// Parses the value of -p, a comma-separated list. Errors: usage_error.
std::vector<typed_key> parse_typed_keys(const std::string&);

/// Appends a line of JSON with `file` and the keys that are present: numbers, lists and maps as such. A key named
/// "file" takes the place of the file. Errors: tgmap::error.
void append_json_line(const std::string& file, const std::vector<typed_key>&, const key_source&, std::string& to);

/// Returns the keys that are present as members for a json_stream. Values of keys without a type are text, or with
/// `typed` as in the metadata.
std::vector<reports::json_stream::member> stream_members(const std::vector<typed_key>&, key_lookup&, bool typed);

/// Accepts --typed, which scripts may give: JSON of `ls` and `get` is always typed.
void add_typed(CLI::App&);

}  // namespace tgmap::cli

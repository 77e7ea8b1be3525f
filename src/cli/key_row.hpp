// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "cli/json.hpp"
#include "cli/json_stream.hpp"

namespace tgmap::cli {

/// Adds what is found, as text that is safe to print, to a line.
void append_value(const key_result&, std::string& line);

/// One message or object as JSON: each key that is there with its text, or typed, as the metadata has it; others are
/// left out. Throws tgmap::error.
json key_members(std::span<const metadata_key>, key_lookup&, bool typed);

/// The same, to be written as a stream.
std::vector<json_stream::member> stream_members(std::span<const metadata_key>, key_lookup&, bool typed);

void add_typed(CLI::App&, bool& into);

}  // namespace tgmap::cli

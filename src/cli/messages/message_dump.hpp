// SPDX-License-Identifier: Apache-2.0
// Dumps of messages in the format of the reference implementation. Payloads are not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/message.hpp>

#include "cli/app/output.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// Prints a line for each frame and one for its contents: metadata, index, hashes, descriptor; with `object` only the
/// frame of that object.
/// Errors: tgmap::error if the frames cannot be followed; cli_error if contents exceed `max_memory` bytes.
void dump_frames_text(const message&, std::optional<std::size_t> object, const std::optional<std::uint64_t>& max_memory,
                      output&);

/// Prints the same as one JSON object per line, with the name of the file.
void dump_frames_json(const std::string& file, const message&, std::optional<std::size_t> object,
                      const std::optional<std::uint64_t>& max_memory, output&);

/// Returns lines for the given objects, then keys with their values in JSON. Errors: tgmap::error.
std::string dump_text(const message&, number_bounds objects);

/// Prints one JSON document on several lines.
/// Errors: tgmap::error, before anything is written; cli_error if everything but payloads exceeds the limit.
void dump_json(const message&, number_bounds objects, const std::optional<std::uint64_t>& max_memory, output&);

}  // namespace tgmap::cli

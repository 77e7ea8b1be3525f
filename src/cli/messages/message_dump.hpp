// SPDX-License-Identifier: Apache-2.0
// Dumps of messages as text in the format of the reference implementation. Payloads are not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/tools/address.hpp>

#include "cli/app/output.hpp"
#include "reports/json_stream.hpp"

namespace tgmap::cli {

/// Prints a line for each frame and one for its contents: metadata, index, hashes, descriptor; with `object` only the
/// frame of that object. Returns the limit on the JSON of a frame if its contents exceed it.
/// Errors: tgmap::error if the frames cannot be followed.
std::optional<reports::json_limit> dump_frames_text(const message&, std::optional<std::size_t> object,
                                                    const std::optional<std::uint64_t>& max_memory, output&);

/// Returns lines for the given objects, then keys with their values in JSON. Errors: tgmap::error.
std::string dump_text(const message&, number_bounds objects);

}  // namespace tgmap::cli

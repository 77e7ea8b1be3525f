// SPDX-License-Identifier: Apache-2.0
// The frames of a message as they lie. Payloads are not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/message.hpp>

#include "cli/output.hpp"

namespace tgmap::cli {

/// A line for each frame and one for what it says: metadata, index, digests, descriptor. Throws tgmap::error where the
/// frames cannot be followed any further, complaint where what one says takes more than `max_memory` bytes. `object`:
/// of its frame alone.
void dump_frames_text(const message&, std::optional<std::size_t> object, const std::optional<std::uint64_t>& max_memory,
                      output&);

/// The same, a JSON object a frame, each on a line with the name of the file.
void dump_frames_json(const std::string& file, const message&, std::optional<std::size_t> object,
                      const std::optional<std::uint64_t>& max_memory, output&);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
// JSON of messages in the format of the reference implementation. Payloads are not read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/tools/address.hpp>

#include "core/text/text_sink.hpp"
#include "reports/json_stream.hpp"

namespace tgmap::reports {

/// Writes one document on several lines: the keys and descriptors of some objects, all of which must exist, and the
/// message-wide keys. Returns the limit on the JSON if everything but payloads exceeds it.
/// Errors: throws tgmap::error, before anything is written; what the sink throws.
std::optional<json_limit> write_message_json(const message&, number_bounds objects,
                                             const std::optional<std::uint64_t>& max_bytes, core::text_sink&);

/// Writes a line for each frame with its contents and the name of the file; with `object` only for the frame of that
/// object. Returns the limit on the JSON of a frame if its contents exceed it.
/// Errors: throws tgmap::error if the frames cannot be followed; what the sink throws.
std::optional<json_limit> write_frames_json(const std::string& file, const message&, std::optional<std::size_t> object,
                                            const std::optional<std::uint64_t>& max_bytes, core::text_sink&);

}  // namespace tgmap::reports

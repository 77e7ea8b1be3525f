// SPDX-License-Identifier: Apache-2.0
// What a message says of itself, as the reference implementation dumps it. Payloads are not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/message.hpp>

#include "cli/output.hpp"
#include "cli/target.hpp"

namespace tgmap::cli {

/// Lines: objects, then keys with their values in JSON; of the objects with those numbers. Throws tgmap::error.
std::string dump_text(const message&, bounds objects);

/// One JSON document in several lines. Throws tgmap::error, before anything is written; complaint: more than the limit,
/// which is of all but the payloads.
void dump_json(const message&, bounds objects, const std::optional<std::uint64_t>& max_memory, output&);

}  // namespace tgmap::cli

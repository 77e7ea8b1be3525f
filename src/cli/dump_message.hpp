// SPDX-License-Identifier: Apache-2.0
// What a message says of itself, as the reference implementation dumps it. Payloads are not read.
#pragma once

#include <string>
#include <tgmap/message.hpp>

#include "cli/target.hpp"

namespace tgmap::cli {

/// Lines: objects, then keys with their values in JSON; of the objects with those numbers. Throws tgmap::error.
std::string dump_text(const message&, bounds objects);

/// One JSON document in several lines. Throws tgmap::error.
std::string dump_json(const message&, bounds objects);

}  // namespace tgmap::cli

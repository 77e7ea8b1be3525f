// SPDX-License-Identifier: Apache-2.0
// What a message says of itself, as the reference implementation dumps it. Payloads are not read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/message.hpp>

namespace tgmap::cli {

/// Lines: objects, then keys with their values in JSON. `object`: of that one alone.
/// Throws tgmap::error.
std::string dump_text(const message&, std::optional<std::size_t> object);

/// One JSON document in several lines. Throws tgmap::error.
std::string dump_json(const message&, std::optional<std::size_t> object);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
// Floors of decoding: the call of the codec's library, then a bare loop.
#pragma once

#include <memory>

#include "support/contest.hpp"
#include "support/fields.hpp"

namespace tgmap_bench {

/// Output memory shared by operation and floor, so that both write to the same pages.
using shared_octets = std::shared_ptr<octets>;
inline shared_octets make_octets(std::size_t size) { return std::make_shared<octets>(size); }

/// Returns a function that decodes object `j` into `out` with the least possible work. Unless `in_memory`, it copies
/// the stored bytes before a library parses them, because a file can change.
floor_loop floor_of(const pipeline&, const std::shared_ptr<const opened_objects>&, std::size_t j, shared_octets out,
                    bool in_memory);

}  // namespace tgmap_bench

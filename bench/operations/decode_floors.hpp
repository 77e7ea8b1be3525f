// SPDX-License-Identifier: Apache-2.0
// The floor of decoding: the bare library call, then the bare loop.
#pragma once

#include <memory>

#include "support/contest.hpp"
#include "support/fields.hpp"

namespace tgmap_bench {

/// Memory for either side of a contest, so that both write to the same pages.
using shared_octets = std::shared_ptr<octets>;
inline shared_octets make_octets(std::size_t size) { return std::make_shared<octets>(size); }

/// What decodes object `j` into `out`, of the size of its elements, with nothing but what must be done.
/// `in_memory`: what is stored cannot change; else it is copied before a library parses it.
floor_loop floor_of(const pipeline&, const std::shared_ptr<const opened_objects>&, std::size_t j, shared_octets out,
                    bool in_memory);

}  // namespace tgmap_bench

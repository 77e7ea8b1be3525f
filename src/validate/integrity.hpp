// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/options.hpp>
#include <utility>
#include <vector>

#include "validate/body.hpp"
#include "validate/collector.hpp"
#include "validate/message_parts.hpp"
#include "validate/raw_message.hpp"

namespace tgmap::checks {

/// Memory that is used again from message to message.
struct integrity_scratch {
  std::vector<std::optional<std::uint64_t>> digests;                ///< as stored, by object
  std::vector<std::pair<const frame_part*, hash_list>> hash_lists;  ///< frames that hold such
};

/// Digests (§4): of every frame in version 3, of payloads in version 2, and the lists of them. Returns whether every
/// object has one that matches, and there is an object. Errors: file_shrank.
bool check_integrity(raw_message&, const message_parts&, const open_options& limits, integrity_scratch&, collector&,
                     failure&);

}  // namespace tgmap::checks

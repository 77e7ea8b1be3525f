// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/options.hpp>

#include "validate/collector.hpp"
#include "validate/message_parts.hpp"
#include "validate/raw_message.hpp"

namespace tgmap::checks {

/// Digests (§4): of every frame in version 3, of payloads in version 2, and the lists of them. Returns whether every
/// object has one that matches, and there is an object. Errors: file_shrank.
bool check_integrity(raw_message&, const message_parts&, const open_options& limits, collector&, failure&);

}  // namespace tgmap::checks

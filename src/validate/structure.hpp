// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/options.hpp>

#include "validate/collector.hpp"
#include "validate/message_parts.hpp"
#include "validate/raw_message.hpp"

namespace tgmap::checks {

/// Walks a message of version 2 or 3 from preamble to postamble and says what is there. Payloads are not read.
/// False: not even a walk is possible. Errors: file_shrank.
bool check_structure(raw_message&, int version, const open_options& limits, collector&, message_parts&, failure&);

}  // namespace tgmap::checks

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/options.hpp>

#include "validate/collector.hpp"
#include "validate/message_parts.hpp"
#include "validate/raw_message.hpp"

namespace tgmap::checks {

/// Metadata, index, hash and preceder frames, and descriptors: are they CBOR as they must be, do they fit each other
/// and the frames there are? `canonical`: are they in deterministic form, too? Errors: file_shrank.
void check_metadata(raw_message&, const message_parts&, const open_options& limits, bool canonical, collector&,
                    failure&);

}  // namespace tgmap::checks

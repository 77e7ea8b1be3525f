// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/options.hpp>

#include "validate/collector.hpp"
#include "validate/message_parts.hpp"
#include "validate/raw_message.hpp"

namespace tgmap::checks {

/// Values: as many as the shape says, and of floating dtypes no NaN and no infinity that no mask tells of. Returns the
/// objects for which that could not be found out, each with a note. Errors: file_shrank.
std::uint64_t check_fidelity(raw_message&, const message_parts&, const open_options& limits, collector&, failure&);

}  // namespace tgmap::checks

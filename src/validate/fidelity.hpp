// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/message.hpp>
#include <tgmap/options.hpp>
#include <tgmap/tensor.hpp>

#include "validate/collector.hpp"
#include "validate/message_parts.hpp"
#include "validate/raw_message.hpp"

namespace tgmap::checks {

/// Values: the library reads the message and reaches every object, every object can be decoded, to as many elements as
/// the shape says, and of floating dtypes none is a NaN or infinity that no mask tells of. `memory` is for elements
/// that have to be decoded. Returns the objects for which that could not be found out, each with a note. Errors:
/// file_shrank, of the operating system.
std::uint64_t check_fidelity(raw_message&, const tgmap::message&, const message_parts&, const open_options& limits,
                             tensor& memory, collector&, failure&);

}  // namespace tgmap::checks

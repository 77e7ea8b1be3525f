// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/object.hpp>

#include "convert/sink.hpp"

namespace tgmap::convert {

/// The stored payload, byte for byte. Constant memory, in every io_mode. Errors: those of object::read.
void copy_payload(const object&, const sink&);

}  // namespace tgmap::convert

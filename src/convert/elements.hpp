// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <tgmap/object.hpp>

namespace tgmap::convert {

/// Takes a file piece by piece. What it throws ends the conversion.
using sink = std::function<void(std::span<const std::byte>)>;

/// The stored payload, byte for byte. Constant memory, in every io_mode. Errors: those of object::read.
void copy_payload(const object&, const sink&);

/// The elements in the order in which they are stored, little endian, a bitmask as one byte an element.
/// The payload must be plain and as long as the descriptor says. Constant memory. Errors: those of object::read.
void copy_elements(const object&, const descriptor&, const sink&);

/// As copy_elements, in C order by way of the descriptor's strides, which must be a permutation of a dense layout.
/// Holds the payload in memory meanwhile. Errors: those of object::read; std::bad_alloc.
void gather_elements(const object&, const descriptor&, const sink&);

}  // namespace tgmap::convert

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tgmap/object.hpp>

#include "picture/slice.hpp"

namespace tgmap::picture {

/// Takes elements as numbers, missing ones as NaN, in C order of the slice: `at` is the number of the first one.
using number_sink = std::function<void(std::uint64_t at, std::span<const double>)>;

/// What would have to be undone to reach the elements and cannot be: "encoding simple_packing, compression szip";
/// empty when they can be read.
std::string not_readable(const descriptor&);

/// The elements of a slice, a few thousand at a time. The slice was made for the descriptor's shape.
///
/// The one door between stored bytes and pictures: byte order, strides and masks are undone here. Memory is constant
/// but for masks, and for the payload where the archive is not mapped. A file that is cut meanwhile is an error.
/// Errors: encoded, filtered, compressed, masked, payload_size, odd_strides, mask_range, file_shrank; those of
/// object::payload.
void load_field(const object&, const descriptor&, const slice&, element_order, const number_sink&);

}  // namespace tgmap::picture

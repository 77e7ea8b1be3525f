// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <tgmap/object.hpp>

#include "picture/slice.hpp"

namespace tgmap::picture {

/// Takes elements as numbers, missing ones as NaN, in C order of the slice: `at` is the number of the first one.
using number_sink = std::function<void(std::uint64_t at, std::span<const double>)>;

/// The elements of a slice, a few thousand at a time. The slice was made for the object's shape.
///
/// The one door between objects and pictures. Elements that nothing has to be undone for are taken where they lie, in
/// constant memory; of all others the slice is decoded first, and no more than it takes. A file that is cut meanwhile
/// is an error. Errors: those of object::decode.
void load_field(const object&, const slice&, const decode_options&, const number_sink&);

}  // namespace tgmap::picture

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <tgmap/object.hpp>

#include "grid/slice.hpp"

namespace tgmap::picture {

/// Receives elements as numbers in C order of the slice. `at` is the index of the first one; missing elements are NaN.
using number_sink = std::function<void(std::uint64_t at, std::span<const double>)>;

/// Passes the elements of a slice to a sink, a few thousand at a time. The slice must fit the shape of the object.
///
/// Plain elements are read in place, in constant memory. Others are decoded first, only as far as the slice needs.
/// Errors: those of `object::decode`; an error also if the file is truncated meanwhile.
void load_field(const object&, const grids::slice&, const decode_options&, const number_sink&);

}  // namespace tgmap::picture

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <tgmap/decode/decode_many.hpp>
#include <vector>

#include "cli/session.hpp"
#include "cli/slice_text.hpp"

namespace tgmap::cli {

/// Decodes objects, several at once, and gives them in order; memory is bounded. The receiver returns false to end it.
void decode_in_order(std::span<const object>, const decode_options&, const tensor_receiver&, session&);

/// What a slice means of an object, and the shape that it has without the dimensions that an index dropped. Only what
/// holds it is read, as far as the object's codecs allow.
struct sliced {
  tensor elements;
  std::vector<std::uint64_t> shape;
};

/// Throws tgmap::error; complaint where the slice does not fit.
sliced decode_slice(const object&, const slice_text&, const decode_options&);

/// One slice of many: what came of it, or what was thrown.
struct slice_outcome {
  sliced part{};
  std::exception_ptr thrown{};
};

/// Makes `count` slices by `make(number)`, as many at once as there are threads, and gives them in order. `take`
/// returns false to end it.
void slices_in_order(std::size_t count, const std::function<sliced(std::size_t)>& make,
                     const std::function<bool(std::size_t, slice_outcome&&)>& take, session&);

}  // namespace tgmap::cli

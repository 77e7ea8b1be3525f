// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/object.hpp>
#include <tgmap/tensor.hpp>

namespace tgmap::edit {

/// Decodes the elements of an object into memory. Unsupported strides are ignored: the elements are then in stored
/// order, as in the reference implementation, and `as_stored` is true. Errors: those of object::decode_into.
tensor decode_elements(const object&, bool& as_stored, failure&);

}  // namespace tgmap::edit

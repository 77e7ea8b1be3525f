// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/object.hpp>

namespace tgmap::cli {

/// The elements of an object, in memory of their own: in the order that its strides say, or, where those say none, in
/// the order they lie in, as the reference implementation takes them. Throws tgmap::error.
tensor elements_of(const object&);
tensor elements_of(const object&, failure&);

/// Whether they are in the order they lie in because the strides say none.
tensor elements_of(const object&, bool& as_stored);

}  // namespace tgmap::cli

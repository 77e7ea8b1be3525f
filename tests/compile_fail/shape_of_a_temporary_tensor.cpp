// SPDX-License-Identifier: Apache-2.0
// The shape is stored in the tensor.
#include <tgmap/tgmap.hpp>

std::size_t rank(const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  return object.decode().shape().size();
#else
  const tgmap::tensor field = object.decode();
  return field.shape().size();
#endif
}

// SPDX-License-Identifier: Apache-2.0
// Raw bytes need an explicit dtype.
#include <span>
#include <tgmap/write/new_message.hpp>
#include <vector>

tgmap::new_object object_of(const std::vector<float>& elements) {
  tgmap::new_object out;
#ifdef TGMAP_MUST_FAIL
  out.data = elements;
#else
  out.data = std::as_bytes(std::span(elements));
  out.dtype = tgmap::dtype::float32;
#endif
  return out;
}

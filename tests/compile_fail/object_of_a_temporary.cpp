// SPDX-License-Identifier: Apache-2.0
// A new_object borrows its elements, which must not be temporary.
#include <tgmap/write/new_message.hpp>
#include <vector>

tgmap::new_object object_of(std::vector<float>& elements) {
#ifdef TGMAP_MUST_FAIL
  (void)elements;
  return tgmap::new_object::of(std::vector<float>(3));
#else
  return tgmap::new_object::of(elements);
#endif
}

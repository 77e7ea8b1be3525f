// SPDX-License-Identifier: Apache-2.0
// An object that is to be written borrows its elements: those of a temporary would be gone.
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

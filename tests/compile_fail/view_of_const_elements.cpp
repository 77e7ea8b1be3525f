// SPDX-License-Identifier: Apache-2.0
// Views are always const; `const float` is not an element type.
#include <tgmap/tgmap.hpp>

std::size_t size(const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  return object.view<const float>().size();
#else
  return object.view<float>().size();
#endif
}

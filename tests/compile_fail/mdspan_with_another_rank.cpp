// SPDX-License-Identifier: Apache-2.0
// A rank known at compile time takes just as many indices.
#include <tgmap/adapters/mdspan.hpp>

float at(const tgmap::array_view<float>& view) {
#ifdef TGMAP_MUST_FAIL
  return tgmap::as_mdspan<2>(view)(1);
#else
  return tgmap::as_mdspan<2>(view)(1, 2);
#endif
}

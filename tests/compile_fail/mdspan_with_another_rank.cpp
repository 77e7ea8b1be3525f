// SPDX-License-Identifier: Apache-2.0
// The number of indices must equal the static rank.
#include <tgmap/adapters/mdspan.hpp>

float at(const tgmap::array_view<float>& view) {
#ifdef TGMAP_MUST_FAIL
  return tgmap::as_mdspan<2>(view)(1);
#else
  return tgmap::as_mdspan<2>(view)(1, 2);
#endif
}

// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tgmap.hpp>

float at(const tgmap::array_view<float>& view) {
#ifdef TGMAP_MUST_FAIL
  return view(1.5);
#else
  return view(1);
#endif
}

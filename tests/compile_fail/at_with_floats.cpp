// SPDX-License-Identifier: Apache-2.0
// Indices of at() are integers, too.
#include <tgmap/array_view.hpp>

float at(const tgmap::array_view<float>& view) {
#ifdef TGMAP_MUST_FAIL
  return view.at(1.5, 2.0);
#else
  return view.at(1, 2);
#endif
}

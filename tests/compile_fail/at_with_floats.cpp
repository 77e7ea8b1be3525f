// SPDX-License-Identifier: Apache-2.0
// Indices are whole numbers, checked ones as well.
#include <tgmap/array_view.hpp>

float at(const tgmap::array_view<float>& view) {
#ifdef TGMAP_MUST_FAIL
  return view.at(1.5, 2.0);
#else
  return view.at(1, 2);
#endif
}

// SPDX-License-Identifier: Apache-2.0
// A function called for every dtype returns one type.
#include <tgmap/tgmap.hpp>

auto first(const tgmap::tensor& field) {
  return field.visit([](const auto& view) {
#ifdef TGMAP_MUST_FAIL
    return view.values()[0];
#else
    return view.size();
#endif
  });
}

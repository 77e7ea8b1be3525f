// SPDX-License-Identifier: Apache-2.0
// Elements are in a read-only mapping.
#include <tgmap/tgmap.hpp>

void use(const tgmap::object& object) {
  auto view = object.view<float>();
#ifdef TGMAP_MUST_FAIL
  view(0) = 1.0f;
#else
  float copy = view(0);
  copy = 1.0f;
  static_cast<void>(copy);
#endif
}

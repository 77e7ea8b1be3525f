// SPDX-License-Identifier: Apache-2.0
// What comparing a digest says is looked at.
#include <tgmap/tgmap.hpp>

bool is_sound(const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  object.verify();
  return true;
#else
  return object.verify() == tgmap::hash_result::match;
#endif
}

// SPDX-License-Identifier: Apache-2.0
// The result of comparing a hash must not be ignored.
#include <tgmap/tgmap.hpp>

bool is_sound(const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  object.verify();
  return true;
#else
  return object.verify() == tgmap::hash_result::match;
#endif
}

// SPDX-License-Identifier: Apache-2.0
// The result of a validation must not be ignored.
#include <tgmap/tgmap.hpp>

bool is_sound(const tgmap::archive& archive) {
  tgmap::validation_visitor quiet;
#ifdef TGMAP_MUST_FAIL
  tgmap::validate(archive, quiet);
  return true;
#else
  return tgmap::validate(archive, quiet).is_sound();
#endif
}

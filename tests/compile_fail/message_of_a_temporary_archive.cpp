// SPDX-License-Identifier: Apache-2.0
// The message would borrow from an archive that is already destroyed.
#include <tgmap/tgmap.hpp>

tgmap::message first(const char* path) {
#ifdef TGMAP_MUST_FAIL
  return tgmap::archive(path)[0];
#else
  static const tgmap::archive archive(path);
  return archive[0];
#endif
}

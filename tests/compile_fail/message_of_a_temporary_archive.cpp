// SPDX-License-Identifier: Apache-2.0
// The archive is gone at the semicolon, and the message would borrow from it.
#include <tgmap/tgmap.hpp>

tgmap::message first(const char* path) {
#ifdef TGMAP_MUST_FAIL
  return tgmap::archive(path)[0];
#else
  static const tgmap::archive archive(path);
  return archive[0];
#endif
}

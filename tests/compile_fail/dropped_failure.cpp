// SPDX-License-Identifier: Apache-2.0
// A returned failure must not be ignored.
#include <tgmap/tgmap.hpp>

void prefetch(const tgmap::archive& archive, const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  archive.prefetch(object);
#else
  if (const tgmap::failure why = archive.prefetch(object)) tgmap::detail::raise_if(why);
#endif
}

// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tgmap.hpp>

std::uint64_t last_but_one(const char* path, tgmap::failure& why) {
#ifdef TGMAP_MUST_FAIL
  return tgmap::archive::open(path, {}, why).nth_from_end(1, why).length();
#else
  const auto archive = tgmap::archive::open(path, {}, why);
  return archive.nth_from_end(1, why).length();
#endif
}

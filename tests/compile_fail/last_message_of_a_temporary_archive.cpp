// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tgmap.hpp>

std::uint64_t last(const char* path) {
#ifdef TGMAP_MUST_FAIL
  return tgmap::archive(path).back().length();
#else
  const tgmap::archive archive(path);
  return archive.back().length();
#endif
}

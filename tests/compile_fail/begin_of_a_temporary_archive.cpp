// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tgmap.hpp>

std::uint64_t length(const char* path) {
#ifdef TGMAP_MUST_FAIL
  return tgmap::archive(path).begin()->length();
#else
  const tgmap::archive archive(path);
  return archive.begin()->length();
#endif
}

// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tgmap.hpp>

std::uint64_t first_length(const char* path, const tgmap::archive& with_index) {
#ifdef TGMAP_MUST_FAIL
  const tgmap::archive archive(path, with_index.index_bytes());
#else
  const std::vector<std::byte> index = with_index.index_bytes();
  const tgmap::archive archive(path, index);
#endif
  return archive[0].length();
}

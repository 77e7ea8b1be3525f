// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tgmap.hpp>

std::uint64_t length(const tgmap::archive& archive, tgmap::failure& why) {
#ifdef TGMAP_MUST_FAIL
  return archive.refreshed(why).at(1, why).length();
#else
  const auto fresh = archive.refreshed(why);
  return fresh.at(1, why).length();
#endif
}

// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tgmap.hpp>

std::uint64_t length(const tgmap::archive& archive, tgmap::failure& why) {
#ifdef TGMAP_MUST_FAIL
  return archive.reopen(why).at(1, why).length();
#else
  const auto fresh = archive.reopen(why);
  return fresh.at(1, why).length();
#endif
}

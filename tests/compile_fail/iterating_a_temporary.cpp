// SPDX-License-Identifier: Apache-2.0
// The archive must outlive its iterators.
#include <tgmap/tgmap.hpp>

std::size_t count(const tgmap::archive& archive) {
  std::size_t n = 0;
#ifdef TGMAP_MUST_FAIL
  for (auto at = archive.refreshed().begin(); at != std::default_sentinel; ++at) ++n;
#else
  const auto fresh = archive.reopen();
  for (auto at = fresh.begin(); at != std::default_sentinel; ++at) ++n;
#endif
  return n;
}

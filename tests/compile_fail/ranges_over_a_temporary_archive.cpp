// SPDX-License-Identifier: Apache-2.0
// A range algorithm would keep iterators into an archive that is gone. (A range-for over a temporary is sound: it keeps
// the archive until it ends; that message handles do not leave the loop is up to its author.)
#include <algorithm>
#include <ranges>
#include <tgmap/tgmap.hpp>

std::ptrdiff_t count(const char* path) {
  const auto streamed = [](const tgmap::message& m) { return m.is_streamed(); };
#ifdef TGMAP_MUST_FAIL
  return std::ranges::count_if(std::ranges::ref_view(tgmap::archive(path)), streamed);
#else
  const tgmap::archive archive(path);
  return std::ranges::count_if(archive, streamed);
#endif
}

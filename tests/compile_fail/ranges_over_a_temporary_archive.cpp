// SPDX-License-Identifier: Apache-2.0
// A range algorithm would keep iterators into a destroyed archive. (A range-for over a temporary is valid: it keeps the
// archive until the loop ends. Message handles must not leave the loop.)
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

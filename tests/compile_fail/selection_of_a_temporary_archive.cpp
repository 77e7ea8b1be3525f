// SPDX-License-Identifier: Apache-2.0
// The message handles of a selection would outlive the archive.
#include <tgmap/tgmap.hpp>

tgmap::archive made();

std::size_t first(const tgmap::selection& wanted) {
#ifdef TGMAP_MUST_FAIL
  auto found = made().find(wanted);
#else
  const tgmap::archive archive = made();
  auto found = archive.find(wanted);
#endif
  return (*found.begin()).index;
}

// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tgmap.hpp>

std::uint64_t length(int descriptor) {
#ifdef TGMAP_MUST_FAIL
  return tgmap::archive::from_descriptor(descriptor).at_offset(0).length();
#else
  const auto archive = tgmap::archive::from_descriptor(descriptor);
  return archive.at_offset(0).length();
#endif
}

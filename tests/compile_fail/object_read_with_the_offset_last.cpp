// SPDX-License-Identifier: Apache-2.0
// The offset comes first, as in archive::read.
#include <tgmap/tgmap.hpp>

void read(const tgmap::object& object, std::span<std::byte> out) {
#ifdef TGMAP_MUST_FAIL
  object.read(out, 8);
#else
  object.read(8, out);
#endif
}

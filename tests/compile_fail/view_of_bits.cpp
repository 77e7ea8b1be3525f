// SPDX-License-Identifier: Apache-2.0
// bitmask has no element type: bool is not one bit.
#include <tgmap/tgmap.hpp>

std::size_t size(const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  return object.view<bool>().size();
#else
  return object.view<std::uint8_t>().size();
#endif
}

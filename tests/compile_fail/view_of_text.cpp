// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <tgmap/tgmap.hpp>

std::size_t size(const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  return object.view<std::string>().size();
#else
  return object.view<std::uint8_t>().size();
#endif
}

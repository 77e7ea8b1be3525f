// SPDX-License-Identifier: Apache-2.0
// char is neither int8 nor uint8.
#include <tgmap/tgmap.hpp>

std::size_t size(const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  return object.view<char>().size();
#else
  return object.view<signed char>().size();
#endif
}

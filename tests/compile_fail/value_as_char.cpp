// SPDX-License-Identifier: Apache-2.0
// A character is neither a number nor text.
#include <tgmap/tgmap.hpp>

bool small(const tgmap::cbor_view& value) {
#ifdef TGMAP_MUST_FAIL
  return value.get<char>().has_value();
#else
  return value.get<signed char>().has_value();
#endif
}

// SPDX-License-Identifier: Apache-2.0
// Integers are read as 64 bits, so that none is cut silently.
#include <tgmap/tgmap.hpp>

bool small(const tgmap::value& value) {
#ifdef TGMAP_MUST_FAIL
  return value.get<short>().has_value();
#else
  return value.get<std::int64_t>().has_value();
#endif
}

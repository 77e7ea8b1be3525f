// SPDX-License-Identifier: Apache-2.0
// A pointer must not be converted to `true`.
#include <tgmap/write/cbor_value.hpp>

tgmap::cbor_value item_of(const int* number) {
#ifdef TGMAP_MUST_FAIL
  return number;
#else
  return *number;
#endif
}

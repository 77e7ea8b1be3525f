// SPDX-License-Identifier: Apache-2.0
// A pointer is no value: it must not become `true`.
#include <tgmap/write/cbor_value.hpp>

tgmap::cbor_value item_of(const int* number) {
#ifdef TGMAP_MUST_FAIL
  return number;
#else
  return *number;
#endif
}

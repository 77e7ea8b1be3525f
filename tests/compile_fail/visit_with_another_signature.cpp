// SPDX-License-Identifier: Apache-2.0
// A visitor returns whether to continue.
#include <tgmap/tgmap.hpp>

bool all(const tgmap::metadata& metadata) {
#ifdef TGMAP_MUST_FAIL
  return metadata.visit([](std::string_view, const tgmap::cbor_view&) {});
#else
  return metadata.visit([](std::string_view, const tgmap::cbor_view&) { return true; });
#endif
}

// SPDX-License-Identifier: Apache-2.0
// The conversion of a failure to bool is explicit.
#include <tgmap/tgmap.hpp>

bool failed(const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  return object.why_not_in_place(tgmap::dtype::float32);
#else
  return static_cast<bool>(object.why_not_in_place(tgmap::dtype::float32));
#endif
}

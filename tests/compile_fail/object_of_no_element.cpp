// SPDX-License-Identifier: Apache-2.0
// Tensogram has no dtype for `long double`.
#include <span>
#include <tgmap/write/new_message.hpp>

tgmap::new_object object_of(std::span<const long double> wide, std::span<const double> elements) {
#ifdef TGMAP_MUST_FAIL
  return tgmap::new_object::of(wide);
#else
  (void)wide;
  return tgmap::new_object::of(elements);
#endif
}

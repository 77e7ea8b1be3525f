// SPDX-License-Identifier: Apache-2.0
#include <tgmap/adapters/multi_array.hpp>

std::size_t elements(const tgmap::array_view<float>& view) {
#ifdef TGMAP_MUST_FAIL
  return tgmap::as_multi_array<0>(view).num_elements();
#else
  return tgmap::as_multi_array<1>(view).num_elements();
#endif
}

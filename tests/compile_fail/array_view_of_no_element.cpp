// SPDX-License-Identifier: Apache-2.0
#include <tgmap/array_view.hpp>

#ifdef TGMAP_MUST_FAIL
using view = tgmap::array_view<long double>;
#else
using view = tgmap::array_view<double>;
#endif

std::size_t rank(const view& v) { return v.rank(); }

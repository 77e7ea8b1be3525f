// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <boost/multi_array.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <tgmap/array_view.hpp>

namespace tgmap {
inline namespace v0 {

/// Returns an array view as a Boost.MultiArray of fixed rank, without a copy:
/// `as_multi_array<2>(object.view<float>())`.
///
/// `boost::const_multi_array_ref` describes dense storage by the order of its dimensions, and an array_view always has
/// dense storage. C order, Fortran order, every other permutation and descending dimensions are therefore kept.
/// Errors: too_many_dimensions, if `Rank` is not the rank of the view.
/// Complexity: O(rank).
/// Lifetime: as the view.
template <std::size_t Rank, element T>
boost::const_multi_array_ref<T, Rank> as_multi_array(const array_view<T>& view) {
  static_assert(Rank > 0, "a scalar has no Boost.MultiArray; use view()");
  if (view.rank() != Rank) detail::raise({.code = errc::too_many_dimensions, .expected = Rank, .found = view.rank()});
  std::array<std::size_t, Rank> extents{}, order{};
  std::array<bool, Rank> ascending{};
  const T* begin = view.data();  // of the storage, where a descending dimension begins with its last element
  for (std::size_t d = 0; d < Rank; ++d) {
    extents[d] = static_cast<std::size_t>(view.shape()[d]);
    order[d] = d;
    ascending[d] = view.strides()[d] >= 0;
    if (!ascending[d] && view.size() != 0) begin += view.strides()[d] * static_cast<std::int64_t>(extents[d] - 1);
  }
  // Fastest first. The place of an extent of 1 does not matter: it takes no step.
  const auto step = [&](std::size_t d) { return extents[d] > 1 ? std::abs(view.strides()[d]) : 0; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return step(a) < step(b); });
  return boost::const_multi_array_ref<T, Rank>(begin, extents,
                                               boost::general_storage_order<Rank>(order.begin(), ascending.begin()));
}

}  // namespace v0
}  // namespace tgmap

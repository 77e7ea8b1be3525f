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

/// An array view as a Boost.MultiArray of fixed rank, without a copy: same data, same lifetime.
///
/// `boost::const_multi_array_ref` describes dense storage by dimension order, which is just what an array_view
/// guarantees: C order, Fortran order, every other permutation and descending dimensions are kept. O(rank).
/// Throws `errc::too_many_dimensions` when `Rank` is not the view's rank.
template <std::size_t Rank, element T>
boost::const_multi_array_ref<T, Rank> as_multi_array(const array_view<T>& view) {
  static_assert(Rank > 0, "a scalar has no Boost.MultiArray; use view()");
  if (view.rank() != Rank) detail::raise({.code = errc::too_many_dimensions, .expected = Rank, .found = view.rank()});
  std::array<std::size_t, Rank> extents{}, order{};
  std::array<bool, Rank> ascending{};
  const T* begin = view.data();  // of the storage: of a descending dimension the last element comes first
  for (std::size_t d = 0; d < Rank; ++d) {
    extents[d] = static_cast<std::size_t>(view.shape()[d]);
    order[d] = d;
    ascending[d] = view.strides()[d] >= 0;
    if (!ascending[d] && view.size() != 0) begin += view.strides()[d] * static_cast<std::int64_t>(extents[d] - 1);
  }
  // Fastest first. Where an extent of 1 comes does not matter: it takes no step.
  const auto step = [&](std::size_t d) { return extents[d] > 1 ? std::abs(view.strides()[d]) : 0; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return step(a) < step(b); });
  return boost::const_multi_array_ref<T, Rank>(begin, extents,
                                               boost::general_storage_order<Rank>(order.begin(), ascending.begin()));
}

}  // namespace v0
}  // namespace tgmap

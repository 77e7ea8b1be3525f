// SPDX-License-Identifier: Apache-2.0
#include "convert/storage.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tgmap::convert {

std::optional<storage> storage_of(std::span<const std::uint64_t> shape, std::span<const std::uint64_t> strides) {
  if (shape.size() != strides.size()) return std::nullopt;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return storage::c_order;

  std::vector<std::size_t> slowest_first(shape.size());
  std::iota(slowest_first.begin(), slowest_first.end(), std::size_t{0});
  std::erase_if(slowest_first, [&](std::size_t d) { return shape[d] == 1; });
  std::stable_sort(slowest_first.begin(), slowest_first.end(),
                   [&](std::size_t a, std::size_t b) { return strides[a] > strides[b]; });

  std::uint64_t dense = 1;
  for (std::size_t i = slowest_first.size(); i-- > 0;) {
    const std::size_t d = slowest_first[i];
    if (strides[d] != dense) return std::nullopt;
    dense *= shape[d];
  }
  if (std::is_sorted(slowest_first.begin(), slowest_first.end())) return storage::c_order;
  if (std::is_sorted(slowest_first.rbegin(), slowest_first.rend())) return storage::fortran_order;
  return storage::permuted;
}

}  // namespace tgmap::convert

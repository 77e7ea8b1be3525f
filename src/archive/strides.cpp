// SPDX-License-Identifier: Apache-2.0
#include "archive/strides.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tgmap/options.hpp>

namespace tgmap::inline v0::detail {

void dense_strides(std::span<const std::uint64_t> shape, std::span<std::int64_t> out) noexcept {
  std::uint64_t step = 1;  // wraps only for tensors without elements, where no stride is ever used
  for (std::size_t d = shape.size(); d-- > 0;) {
    out[d] = static_cast<std::int64_t>(step);
    step *= std::max<std::uint64_t>(shape[d], 1);
  }
}

bool honoured_strides(std::span<const std::uint64_t> shape, std::span<const std::uint64_t> strides,
                      std::span<std::int64_t> out) noexcept {
  if (shape.size() != strides.size()) return false;
  dense_strides(shape, out);
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return true;

  // Dimensions that move, fastest first, must each step over all faster ones.
  std::array<std::size_t, max_rank> order;
  std::size_t moving = 0;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (shape[d] != 1) order[moving++] = d;
  const std::span<std::size_t> fastest_first(order.data(), moving);
  std::sort(fastest_first.begin(), fastest_first.end(),
            [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  std::uint64_t step = 1;
  for (const std::size_t d : fastest_first) {
    if (strides[d] != step) return false;
    out[d] = static_cast<std::int64_t>(step);
    step *= shape[d];  // the product of the shape fits 64 bits: the descriptor was checked
  }
  return true;
}

}  // namespace tgmap::inline v0::detail

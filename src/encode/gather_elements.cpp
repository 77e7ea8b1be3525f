// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tgmap/array_view.hpp>

#include "encode/gather.hpp"

namespace tgmap {
inline namespace v0 {

void gather_elements(const std::byte* origin, std::size_t width, std::span<const std::uint64_t> shape,
                     std::span<const std::int64_t> strides, std::byte* to) noexcept {
  if (std::find(shape.begin(), shape.end(), std::uint64_t{0}) != shape.end()) return;
  encode::gather(encode::simplified(shape, strides), width, origin, to);
}

bool is_c_order(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept {
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return true;
  std::uint64_t dense = 1;
  for (std::size_t d = shape.size(); d-- > 0; dense *= shape[d])
    if (shape[d] > 1 && strides[d] != static_cast<std::int64_t>(dense)) return false;
  return true;
}

}  // namespace v0
}  // namespace tgmap

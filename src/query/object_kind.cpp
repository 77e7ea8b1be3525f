// SPDX-License-Identifier: Apache-2.0
#include "query/object_kind.hpp"

#include <algorithm>
#include <array>
#include <tgmap/array_view.hpp>

#include "index_file/samples.hpp"

namespace tgmap::query {

std::uint64_t object_kind(dtype type, byte_order order, std::span<const std::uint64_t> shape,
                          std::span<const std::int64_t> strides) noexcept {
  std::uint64_t digest = 0;
  const auto add = [&](std::uint64_t number) noexcept { digest = index_file::mixed(digest + number); };
  for (const char each : to_string_view(type)) add(static_cast<unsigned char>(each));
  add(order == byte_order::big ? 1 : 0);
  add(shape.size());
  for (const std::uint64_t extent : shape) add(extent);
  // Strides in bytes and in elements, and none at all, may mean the same order.
  std::array<std::int64_t, max_rank> elements;
  const auto in_elements = std::span(elements).first(std::min(shape.size(), elements.size()));
  const bool is_dense = dense_strides(shape, strides, element_size(type), in_elements);
  for (const std::int64_t stride : is_dense ? std::span<const std::int64_t>(in_elements) : strides)
    add(static_cast<std::uint64_t>(stride));
  return digest >> 11;  // JSON and float64 hold numbers below 2^53
}

}  // namespace tgmap::query

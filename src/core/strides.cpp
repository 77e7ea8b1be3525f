// SPDX-License-Identifier: Apache-2.0
#include <tgmap/array_view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tgmap/options.hpp>

namespace tgmap {
inline namespace v0 {

namespace {

/// The dimensions with more than one element, fastest first.
struct moving_dimensions {
  moving_dimensions(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept {
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (shape[d] != 1) order[count++] = d;
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
              [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  }
  std::span<const std::size_t> fastest_first() const noexcept { return {order.data(), count}; }

  std::array<std::size_t, max_rank> order{};
  std::size_t count = 0;
};

bool no_elements(std::span<const std::uint64_t> shape) noexcept {
  return std::find(shape.begin(), shape.end(), 0u) != shape.end();
}

}  // namespace

void c_order_strides(std::span<const std::uint64_t> shape, std::span<std::int64_t> out) noexcept {
  std::uint64_t step = 1;  // overflows only for tensors without elements, whose strides are not used
  for (std::size_t d = shape.size(); d-- > 0;) {
    out[d] = static_cast<std::int64_t>(step);
    step *= std::max<std::uint64_t>(shape[d], 1);
  }
}

bool dense_strides(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides,
                   std::span<std::int64_t> out) noexcept {
  return dense_strides(shape, strides, 1, out);
}

bool dense_strides(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides,
                   std::size_t element_size, std::span<std::int64_t> out) noexcept {
  if (shape.size() != strides.size() || shape.size() > max_rank) return false;
  c_order_strides(shape, out);
  if (no_elements(shape)) return true;
  const moving_dimensions moving(shape, strides);
  const auto order = moving.fastest_first();
  if (order.empty()) return true;
  // The fastest dimension tells the unit.
  const std::uint64_t unit = strides[order[0]] == 1 ? 1 : element_size;
  if (unit == 0) return false;
  std::uint64_t step = unit;  // each dimension must step over all faster ones
  for (const std::size_t d : order) {
    if (strides[d] < 0 || static_cast<std::uint64_t>(strides[d]) != step) return false;
    out[d] = static_cast<std::int64_t>(step / unit);
    if (__builtin_mul_overflow(step, shape[d], &step)) step = UINT64_MAX;  // which no stride is
  }
  return true;
}

std::optional<storage_order> storage_order_of(std::span<const std::uint64_t> shape,
                                              std::span<const std::int64_t> strides) noexcept {
  std::array<std::int64_t, max_rank> dense{};
  if (!dense_strides(shape, strides, dense)) return std::nullopt;
  if (no_elements(shape)) return storage_order::c;
  const moving_dimensions moving(shape, strides);
  const auto order = moving.fastest_first();
  if (std::is_sorted(order.rbegin(), order.rend())) return storage_order::c;
  if (std::is_sorted(order.begin(), order.end())) return storage_order::fortran;
  return storage_order::permuted;
}

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#include "encode/source_layout.hpp"

#include <algorithm>

namespace tgmap::encode {

namespace {

/// The sum, or as much as there is room for: more than any memory holds.
std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

std::uint64_t capped_product(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

std::uint64_t magnitude(std::int64_t number) noexcept {
  const auto bits = static_cast<std::uint64_t>(number);
  return number < 0 ? 0 - bits : bits;
}

/// Whether one step of `outer` is as far as all `extent` steps of `inner`.
bool continues(std::int64_t outer, std::uint64_t extent, std::int64_t inner) noexcept {
  std::int64_t whole;
  return !__builtin_mul_overflow(extent, inner, &whole) && whole == outer;
}

}  // namespace

source_layout simplified(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept {
  source_layout out;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (out.rank != 0 && continues(out.strides[out.rank - 1], shape[d], strides[d])) {
      out.extents[out.rank - 1] *= shape[d];
      out.strides[out.rank - 1] = strides[d];
      continue;
    }
    out.extents[out.rank] = shape[d];
    out.strides[out.rank++] = strides[d];
  }
  return out;
}

failure check_reach(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides, std::uint64_t first,
                    std::uint64_t given) noexcept {
  std::uint64_t up = 0, down = 0;  // how far elements lie behind the one at indices 0, and before it
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::uint64_t& way = strides[d] < 0 ? down : up;
    way = capped_sum(way, capped_product(shape[d] - 1, magnitude(strides[d])));
  }
  if (down <= first && first < given && up < given - first) return {};
  const std::uint64_t end = capped_sum(capped_sum(first, up), 1), before = down > first ? down - first : 0;
  return {.code = errc::invalid_strides, .expected = given, .found = capped_sum(std::max(end, given), before)};
}

}  // namespace tgmap::encode

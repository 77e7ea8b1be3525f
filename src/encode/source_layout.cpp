// SPDX-License-Identifier: Apache-2.0
#include "encode/source_layout.hpp"

#include <algorithm>
#include <cstring>
#include <tgmap/array_view.hpp>

namespace tgmap::encode {

namespace {

/// Returns the sum, or UINT64_MAX on overflow.
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

/// Checks if one step of the outer dimension is as long as all `extent` steps of the inner one.
bool continues(std::int64_t outer, std::uint64_t extent, std::int64_t inner) noexcept {
  std::int64_t whole;
  return !__builtin_mul_overflow(extent, inner, &whole) && whole == outer;
}

}  // namespace

source_layout simplify(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept {
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

failure check_bounds(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides, std::uint64_t first,
                     std::uint64_t available) noexcept {
  std::uint64_t up = 0, down = 0;  // distance of the last and the first element from the one at indices 0
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::uint64_t& distance = strides[d] < 0 ? down : up;
    distance = capped_sum(distance, capped_product(shape[d] - 1, magnitude(strides[d])));
  }
  if (down <= first && first < available && up < available - first) return {};
  const std::uint64_t end = capped_sum(capped_sum(first, up), 1), before = down > first ? down - first : 0;
  return {.code = errc::invalid_strides, .expected = available, .found = capped_sum(std::max(end, available), before)};
}

namespace {

/// A `dimension` has an extent, and strides in bytes: `from` in the source and `to` in the output.
struct dimension {
  std::uint64_t extent = 1;
  std::ptrdiff_t from = 0, to = 0;
};

std::uint64_t magnitude_of(std::ptrdiff_t number) noexcept {
  const auto bits = static_cast<std::uint64_t>(number);
  return number < 0 ? 0 - bits : bits;
}

template <std::size_t Width>
void copy_element(const std::byte* from, std::byte* to) noexcept {
  std::memcpy(to, from, Width);
}

/// Copies one row of the result, whose elements are `along.from` bytes apart.
template <std::size_t Width>
void gather_row(const dimension& along, const std::byte* from, std::byte* to) noexcept {
  if (along.from == static_cast<std::ptrdiff_t>(Width)) {
    std::memcpy(to, from, static_cast<std::size_t>(along.extent) * Width);
    return;
  }
  for (std::uint64_t i = 0; i < along.extent; ++i, to += Width) {
    copy_element<Width>(from, to);
    if (i + 1 < along.extent) from += along.from;  // no pointer beyond the elements
  }
}

/// Number of elements of a tile in each direction: enough to use whole cache lines, and few enough to touch few pages.
template <std::size_t Width>
constexpr std::uint64_t tile = Width == 1 ? 128 : std::max<std::uint64_t>(256 / Width, 32);

/// Copies one tile. The source is read column by column into a buffer, which is then written row by row. The rows of
/// the buffer are longer than those of the tile, so that they do not map to the same cache sets.
template <std::size_t Width>
void gather_tile(const dimension& down, const dimension& along, const std::byte* from, std::byte* to,
                 std::uint64_t rows, std::uint64_t columns) noexcept {
  constexpr std::size_t pitch = (tile<Width> + 64 / Width) * Width;
  alignas(64) std::array<std::byte, tile<Width> * pitch> buffer;
  for (std::uint64_t x = 0; x < columns; ++x) {
    const std::byte* at = from + static_cast<std::ptrdiff_t>(x) * along.from;
    std::byte* out = buffer.data() + x * Width;
    for (std::uint64_t y = 0; y < rows; ++y)
      copy_element<Width>(at + static_cast<std::ptrdiff_t>(y) * down.from, out + y * pitch);
  }
  for (std::uint64_t y = 0; y < rows; ++y)
    std::memcpy(to + static_cast<std::ptrdiff_t>(y) * down.to, buffer.data() + y * pitch, columns * Width);
}

/// Copies two dimensions tile by tile, so that each cache line of the source is loaded once.
template <std::size_t Width>
void gather_tiles(const dimension& down, const dimension& along, const std::byte* from, std::byte* to) noexcept {
  constexpr std::uint64_t side = tile<Width>;
  for (std::uint64_t i = 0; i < along.extent; i += side)
    for (std::uint64_t j = 0; j < down.extent; j += side)
      gather_tile<Width>(
          down, along, from + static_cast<std::ptrdiff_t>(j) * down.from + static_cast<std::ptrdiff_t>(i) * along.from,
          to + static_cast<std::ptrdiff_t>(j) * down.to + i * Width, std::min(side, down.extent - j),
          std::min(side, along.extent - i));
}

template <std::size_t Width>
void gather_all(const source_layout& layout, const std::byte* from, std::byte* to) noexcept {
  std::array<dimension, max_rank> all{};
  std::uint64_t step = Width;
  for (std::size_t d = layout.rank; d-- > 0; step *= layout.extents[d])
    all[d] = {layout.extents[d], layout.strides[d] * static_cast<std::ptrdiff_t>(Width),
              static_cast<std::ptrdiff_t>(step)};

  // The last dimension is innermost. The dimension with the smallest stride is combined with it in tiles.
  const std::size_t last = layout.rank - 1;
  const dimension along = all[last];
  const auto nearest = std::min_element(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(layout.rank),
      [](const dimension& a, const dimension& b) { return magnitude_of(a.from) < magnitude_of(b.from); });
  const bool by_tiles = magnitude_of(nearest->from) < magnitude_of(along.from);
  const dimension down = by_tiles ? *nearest : dimension{};
  if (by_tiles) std::move(nearest + 1, all.begin() + static_cast<std::ptrdiff_t>(last), nearest);
  const std::size_t others = by_tiles ? last - 1 : last;

  std::array<std::uint64_t, max_rank> at{};
  for (;;) {
    by_tiles ? gather_tiles<Width>(down, along, from, to) : gather_row<Width>(along, from, to);
    std::size_t d = others;
    for (; d-- > 0;) {
      if (++at[d] < all[d].extent) break;
      at[d] = 0;
      from -= static_cast<std::ptrdiff_t>(all[d].extent - 1) * all[d].from;
      to -= static_cast<std::ptrdiff_t>(all[d].extent - 1) * all[d].to;
    }
    if (d == SIZE_MAX) return;  // every index is back at 0
    from += all[d].from;
    to += all[d].to;
  }
}

}  // namespace

void gather(const source_layout& layout, std::size_t width, const std::byte* origin, std::byte* out) noexcept {
  if (layout.rank == 0) {
    std::memcpy(out, origin, width);
    return;
  }
  switch (width) {
    case 1: return gather_all<1>(layout, origin, out);
    case 2: return gather_all<2>(layout, origin, out);
    case 4: return gather_all<4>(layout, origin, out);
    case 8: return gather_all<8>(layout, origin, out);
    default: return gather_all<16>(layout, origin, out);
  }
}

}  // namespace tgmap::encode

namespace tgmap {
inline namespace v0 {

void gather_elements(const std::byte* origin, std::size_t width, std::span<const std::uint64_t> shape,
                     std::span<const std::int64_t> strides, std::byte* to) noexcept {
  if (std::find(shape.begin(), shape.end(), std::uint64_t{0}) != shape.end()) return;
  encode::gather(encode::simplify(shape, strides), width, origin, to);
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

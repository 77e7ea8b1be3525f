// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/packing/masked_values.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

bool is_set(byte_view bits, std::uint64_t point) noexcept {
  return (std::to_integer<unsigned>(bits[static_cast<std::size_t>(point / 8)]) >> (7 - point % 8) & 1) != 0;
}

/// Returns up to 64 bits from a whole byte on, the first one highest; bits from `points` on are 0.
std::uint64_t bits_at(byte_view bits, std::uint64_t point, std::uint64_t points) noexcept {
  std::array<std::byte, 8> near{};
  const auto byte = static_cast<std::size_t>(point / 8);
  std::copy_n(bits.begin() + static_cast<std::ptrdiff_t>(byte), std::min<std::size_t>(8, bits.size() - byte),
              near.begin());
  const std::uint64_t left = points - point;
  const std::uint64_t word = load_big_endian(near.data());
  return left >= 64 ? word : word & ~(~std::uint64_t{0} >> left);
}

/// Calls `use(begin, end, set)` for each run of points whose bits are equal.
template <class Use>
void for_each_run(byte_view bits, std::uint64_t points, Use&& use) {
  std::uint64_t begin = 0, at = 0;
  bool set = points > 0 && is_set(bits, 0);
  while (at < points) {
    const std::uint64_t left = std::min<std::uint64_t>(64 - at % 8, points - at);
    const std::uint64_t word = bits_at(bits, at / 8 * 8, points) << at % 8;
    const auto same = static_cast<std::uint64_t>(std::countl_zero(set ? ~word : word));
    if (same >= left) {
      at += left;
      continue;
    }
    at += same;
    use(begin, at, set);
    begin = at;
    set = !set;
  }
  if (begin < points) use(begin, points, set);
}

/// Appends a run of the mask to `to`, as a LEB128 number. Returns its end, or null if it would pass `end`.
std::byte* put_run(std::byte* to, const std::byte* end, std::uint64_t length) noexcept {
  do {
    if (to == end) return nullptr;
    const auto low = static_cast<std::uint8_t>(length & 0x7f);
    length >>= 7;
    *to++ = static_cast<std::byte>(low | (length > 0 ? 0x80 : 0));
  } while (length > 0);
  return to;
}

}  // namespace

std::uint64_t count_set_bits(byte_view bits, std::uint64_t points) noexcept {
  std::uint64_t out = 0;
  for (std::uint64_t at = 0; at < points; at += 64)
    out += static_cast<unsigned>(std::popcount(bits_at(bits, at, points)));
  return out;
}

template <class Integer>
void scatter_values(std::span<const Integer> values, byte_view bits, std::span<Integer> out) noexcept {
  Integer before = values.empty() ? Integer{0} : values.front();
  for_each_run(bits, out.size(), [&](std::uint64_t begin, std::uint64_t end, bool set) {
    auto to = out.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    const std::size_t count = set ? std::min(to.size(), values.size()) : 0;
    if (count > 0) {
      std::copy_n(values.begin(), count, to.begin());
      before = values[count - 1];
      values = values.subspan(count);
    }
    std::fill(to.begin() + static_cast<std::ptrdiff_t>(count), to.end(), before);
  });
}

template <class Integer>
void gather_values(std::span<const Integer> points, byte_view bits, std::span<Integer> out) noexcept {
  for_each_run(bits, points.size(), [&](std::uint64_t begin, std::uint64_t end, bool set) {
    if (!set) return;
    const std::size_t count = std::min(static_cast<std::size_t>(end - begin), out.size());
    std::copy_n(points.data() + begin, count, out.begin());
    out = out.subspan(count);
  });
}

void scatter_elements(byte_view values, std::size_t size, byte_view bits, std::uint64_t points,
                      std::span<std::byte> out) noexcept {
  for_each_run(bits, points, [&](std::uint64_t begin, std::uint64_t end, bool set) {
    const auto to = out.subspan(static_cast<std::size_t>(begin) * size, static_cast<std::size_t>(end - begin) * size);
    const std::size_t count = set ? std::min(to.size(), values.size()) : 0;
    std::copy_n(values.begin(), count, to.begin());
    values = values.subspan(count);
    std::fill(to.begin() + static_cast<std::ptrdiff_t>(count), to.end(), std::byte{0});
  });
}

void gather_elements(byte_view points, std::size_t size, byte_view bits, std::uint64_t count,
                     std::span<std::byte> out) noexcept {
  for_each_run(bits, count, [&](std::uint64_t begin, std::uint64_t end, bool set) {
    if (!set) return;
    const std::size_t bytes = std::min(static_cast<std::size_t>(end - begin) * size, out.size());
    std::copy_n(points.data() + begin * size, bytes, out.begin());
    out = out.subspan(bytes);
  });
}

mask_blob encode_mask(byte_view bits, std::uint64_t points, byte_buffer& memory, failure& why) noexcept {
  const std::uint64_t size = packed_bytes(points, 1);
  const auto to = memory.take(size, why);
  if (why || points == 0) return {{}, "none"};
  const std::byte* const limit = to.data() + size / 2;
  std::byte* end = size >= 4 ? to.data() : nullptr;
  if (end != nullptr) *end++ = is_set(bits, 0) ? std::byte{0} : std::byte{1};  // the mask has the other bit
  for_each_run(bits, points, [&](std::uint64_t begin, std::uint64_t stop, bool) {
    if (end != nullptr) end = put_run(end, limit, stop - begin);
  });
  if (end != nullptr) return {to.first(static_cast<std::size_t>(end - to.data())), "rle"};
  std::transform(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(size), to.begin(),
                 [](std::byte each) { return ~each; });
  if (points % 8 != 0) to.back() &= static_cast<std::byte>(0xff << (8 - points % 8));
  return {to, "none"};
}

#define TGMAP_MASKED(Integer)                                                                     \
  template void scatter_values(std::span<const Integer>, byte_view, std::span<Integer>) noexcept; \
  template void gather_values(std::span<const Integer>, byte_view, std::span<Integer>) noexcept;
TGMAP_MASKED(std::uint8_t)
TGMAP_MASKED(std::uint16_t)
TGMAP_MASKED(std::uint32_t)
TGMAP_MASKED(std::uint64_t)
#undef TGMAP_MASKED

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap

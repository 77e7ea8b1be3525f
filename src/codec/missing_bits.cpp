// SPDX-License-Identifier: Apache-2.0
#include "codec/missing_bits.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "codec/float_layout.hpp"
#include "codec/non_finite.hpp"

namespace tgmap::codec {

namespace {

/// One bit for each kind that a number is of, NaN lowest.
template <class Bits>
unsigned kind_of(const std::byte* at, const float_layout<Bits>& layout) noexcept {
  Bits bits;
  std::memcpy(&bits, at, sizeof bits);
  const unsigned odd = (bits & layout.exponent) == layout.exponent, fraction = (bits & layout.fraction) != 0,
                 negative = (bits & layout.sign) != 0;
  return odd & fraction ? 1U : odd << (1 + negative);
}

/// The same of an element: the lowest of its components' kinds is what counts.
template <class Bits>
unsigned kind_of_element(const std::byte* at, const float_layout<Bits>& layout) noexcept {
  unsigned kinds = kind_of(at, layout);
  if (layout.components == 2) kinds |= kind_of(at + sizeof(Bits), layout);
  return kinds & (0 - kinds);
}

template <class Bits>
void mark_eights(std::span<const std::byte> elements, const float_layout<Bits>& layout, std::size_t mark,
                 const std::array<std::span<std::byte>, 3>& marks) noexcept {
  const std::size_t width = sizeof(Bits) * layout.components, eight = 8 * width;
  for (std::size_t at = 0; at < elements.size(); at += eight, ++mark) {
    const auto some = elements.subspan(at, std::min(eight, elements.size() - at));
    std::array<unsigned, 3> bits{};
    for (std::size_t i = 0; i * width < some.size(); ++i) {
      const unsigned kind = kind_of_element(some.data() + i * width, layout);
      for (unsigned k = 0; k < 3; ++k) bits[k] |= (kind >> k & 1) << (7 - i);
    }
    for (std::size_t k = 0; k < 3; ++k) marks[k][mark] = static_cast<std::byte>(bits[k]);
  }
}

/// Elements that are passed over together where all are finite; a multiple of 8.
constexpr std::size_t passed_together = 256;

}  // namespace

void mark_missing(std::span<const std::byte> elements, dtype type, byte_order order,
                  const std::array<std::span<std::byte>, 3>& marks) noexcept {
  with_float_layout(type, order, 0, [&](const auto& layout) {
    const std::size_t step = passed_together * element_size(type);
    for (std::size_t at = 0, mark = 0; at < elements.size(); at += step, mark += passed_together / 8) {
      const auto some = elements.subspan(at, std::min(step, elements.size() - at));
      if (find_non_finite(some, type, order)) {
        mark_eights(some, layout, mark, marks);
        continue;
      }
      for (const auto& each : marks) {
        const auto here = each.subspan(mark, std::min(passed_together / 8, each.size() - mark));
        std::fill(here.begin(), here.end(), std::byte{0});
      }
    }
    return 0;
  });
}

void clear_marked(std::span<std::byte> elements, std::size_t width,
                  const std::array<std::span<const std::byte>, 3>& marks) noexcept {
  const std::size_t bytes = (elements.size() / width + 7) / 8;
  for (std::size_t at = 0; at < bytes; ++at) {
    std::byte any{0};
    for (const auto& each : marks)
      if (!each.empty()) any |= each[at];
    for (auto left = std::to_integer<unsigned>(any); left != 0; left &= left - 1) {
      const std::size_t i = 8 * at + 7 - static_cast<std::size_t>(std::countr_zero(left));
      std::fill_n(elements.begin() + static_cast<std::ptrdiff_t>(i * width), width, std::byte{0});
    }
  }
}

}  // namespace tgmap::codec

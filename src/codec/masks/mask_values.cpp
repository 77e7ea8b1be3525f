// SPDX-License-Identifier: Apache-2.0
#include "codec/masks/mask_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codec/masks/float_layout.hpp"
#include "codec/masks/non_finite.hpp"
#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

/// The bits of NaN, +infinity and -infinity. The quiet NaN has only the highest bit of its fraction set.
struct patterns {
  std::array<std::uint64_t, 3> bits;

  constexpr std::uint64_t of(mask_kind kind) const noexcept { return bits[static_cast<std::size_t>(kind)]; }
};
constexpr patterns float16_patterns{{0x7e00, 0x7c00, 0xfc00}};
constexpr patterns bfloat16_patterns{{0x7fc0, 0x7f80, 0xff80}};
constexpr patterns float32_patterns{{0x7fc00000, 0x7f800000, 0xff800000}};
constexpr patterns float64_patterns{{0x7ff8000000000000, 0x7ff0000000000000, 0xfff0000000000000}};

/// Loads the bits of 64 elements; bytes past the end are zero. Element `i` is bit `i ^ 7`: the first byte is the
/// lowest, but its first element is its highest bit. Finding the lowest bit of a word is fastest on every machine.
std::uint64_t load_mask_word(std::span<const std::byte> bits, std::size_t word) noexcept {
  const std::size_t at = word * 8;
  if (wire::fits(at, 8, bits.size())) return wire::reversed(wire::load_be<std::uint64_t>(bits, at));
  std::array<std::byte, 8> end{};
  if (at < bits.size()) std::memcpy(end.data(), bits.data() + at, bits.size() - at);
  return wire::reversed(wire::load_be<std::uint64_t>(end.data()));
}

/// Returns the bits of the elements [begin, 64) of such a word; begin < 64.
constexpr std::uint64_t bits_from(std::uint64_t begin) noexcept { return wire::reversed(~std::uint64_t{0} >> begin); }

/// A `value_scatter` writes one value to the elements that are marked in words of 64 elements.
template <class Element>
class value_scatter {
 public:
  value_scatter(const Element& element, std::uint64_t first, std::span<std::byte> out) noexcept
      : element_(element), first_(first), out_(out) {}

  /// Writes the elements of one word, which starts at element `base`.
  void write_word(std::uint64_t base, std::uint64_t marked) const noexcept {
    if (marked == ~std::uint64_t{0}) {
      for (std::uint64_t i = 0; i < 64; ++i) write(base + i);
      return;
    }
    for (; marked != 0; marked = without_lowest(marked)) write(base + marked_element(marked));
  }

  /// Writes the elements of four words. Branches on random bits are mispredicted half the time; therefore two elements
  /// of each word are written unconditionally, repeating the last one if there are fewer.
  void write_words(std::uint64_t base, std::array<std::uint64_t, 4> words) const noexcept {
    if ((words[0] | words[1] | words[2] | words[3]) == 0) return;
    std::uint64_t last = 0;
    for (std::size_t k = 4; k-- > 0;) last = marked_element_or(words[k], base + 64 * k, last);
    for (std::size_t k = 0; k < 4; ++k) {
      std::uint64_t marked = words[k];
      for (int i = 0; i < 2; ++i) {
        last = marked_element_or(marked, base + 64 * k, last);
        write(last);
        marked = without_lowest(marked);
      }
      if (marked != 0) write_word(base + 64 * k, words[k]);
    }
  }

 private:
  /// Returns a marked element.
  static std::uint64_t marked_element(std::uint64_t marked) noexcept {
    return static_cast<std::uint64_t>(std::countr_zero(marked | std::uint64_t{1} << 63)) ^ 7;
  }
  /// Returns `base + marked_element(marked)`, or `other` if none is marked. Uses arithmetic to avoid a branch.
  static std::uint64_t marked_element_or(std::uint64_t marked, std::uint64_t base, std::uint64_t other) noexcept {
    const std::uint64_t none = std::uint64_t{marked != 0} - 1;
    return (other & none) | ((base + marked_element(marked)) & ~none);
  }
  static std::uint64_t without_lowest(std::uint64_t marked) noexcept { return marked & (marked - 1); }
  void write(std::uint64_t i) const noexcept {
    std::memcpy(out_.data() + static_cast<std::size_t>(i - first_) * sizeof(Element), &element_, sizeof(Element));
  }

  Element element_;
  std::uint64_t first_;
  std::span<std::byte> out_;
};

template <class Element>
void put_elements(std::span<const std::byte> bits, const Element& element, std::uint64_t first,
                  std::span<std::byte> out) noexcept {
  const value_scatter<Element> scatter(element, first, out);
  const std::uint64_t end = first + out.size() / sizeof(Element);
  for (std::uint64_t word = first / 64; word * 64 < end;) {
    const std::uint64_t base = word * 64;
    const auto at = static_cast<std::size_t>(word);
    if (base >= first && end - base >= 256) {
      scatter.write_words(base, {load_mask_word(bits, at), load_mask_word(bits, at + 1), load_mask_word(bits, at + 2),
                                 load_mask_word(bits, at + 3)});
      word += 4;
      continue;
    }
    std::uint64_t marked = load_mask_word(bits, at);
    if (base < first) marked &= bits_from(first - base);
    if (end - base < 64) marked &= ~bits_from(end - base);
    scatter.write_word(base, marked);
    ++word;
  }
}

template <class Component, std::size_t Components>
void put_pattern(std::span<const std::byte> bits, const patterns& all, mask_kind kind, byte_order order,
                 std::uint64_t first, std::span<std::byte> out) noexcept {
  auto pattern = static_cast<Component>(all.of(kind));
  if ((order == byte_order::big) != (std::endian::native == std::endian::big)) pattern = wire::reversed(pattern);
  std::array<Component, Components> element;
  element.fill(pattern);
  put_elements(bits, element, first, out);
}

}  // namespace

bool can_be_masked(dtype type) noexcept {
  switch (type) {
    case dtype::float16:
    case dtype::bfloat16:
    case dtype::float32:
    case dtype::float64:
    case dtype::complex64:
    case dtype::complex128: return true;
    default: return false;
  }
}

void restore_masked(std::span<const std::byte> bits, mask_kind kind, dtype type, byte_order order, std::uint64_t first,
                    std::span<std::byte> out) noexcept {
  switch (type) {
    case dtype::float16: return put_pattern<std::uint16_t, 1>(bits, float16_patterns, kind, order, first, out);
    case dtype::bfloat16: return put_pattern<std::uint16_t, 1>(bits, bfloat16_patterns, kind, order, first, out);
    case dtype::float32: return put_pattern<std::uint32_t, 1>(bits, float32_patterns, kind, order, first, out);
    case dtype::float64: return put_pattern<std::uint64_t, 1>(bits, float64_patterns, kind, order, first, out);
    case dtype::complex64: return put_pattern<std::uint32_t, 2>(bits, float32_patterns, kind, order, first, out);
    case dtype::complex128: return put_pattern<std::uint64_t, 2>(bits, float64_patterns, kind, order, first, out);
    default: return;
  }
}

namespace {

/// Returns the kind of a number as a bit, NaN lowest; 0 if it is finite.
template <class Bits>
unsigned kind_of(const std::byte* at, const float_layout<Bits>& layout) noexcept {
  Bits bits;
  std::memcpy(&bits, at, sizeof bits);
  const unsigned not_finite = (bits & layout.exponent) == layout.exponent, fraction = (bits & layout.fraction) != 0,
                 negative = (bits & layout.sign) != 0;
  return not_finite & fraction ? 1U : not_finite << (1 + negative);
}

/// Returns the kind of an element: the lowest kind of its components.
template <class Bits>
unsigned kind_of_element(const std::byte* at, const float_layout<Bits>& layout) noexcept {
  unsigned kinds = kind_of(at, layout);
  if (layout.components == 2) kinds |= kind_of(at + sizeof(Bits), layout);
  return kinds & (0 - kinds);
}

template <class Bits>
void mark_by_eights(std::span<const std::byte> elements, const float_layout<Bits>& layout, std::size_t mark,
                    const std::array<std::span<std::byte>, 3>& marks) noexcept {
  const std::size_t width = sizeof(Bits) * layout.components, eight = 8 * width;
  for (std::size_t at = 0; at < elements.size(); at += eight, ++mark) {
    const auto block = elements.subspan(at, std::min(eight, elements.size() - at));
    std::array<unsigned, 3> bits{};
    for (std::size_t i = 0; i * width < block.size(); ++i) {
      const unsigned kind = kind_of_element(block.data() + i * width, layout);
      for (unsigned k = 0; k < 3; ++k) bits[k] |= (kind >> k & 1) << (7 - i);
    }
    for (std::size_t k = 0; k < 3; ++k) marks[k][mark] = static_cast<std::byte>(bits[k]);
  }
}

/// Elements of a block that is skipped if all are finite; a multiple of 8.
constexpr std::size_t block_elements = 256;

}  // namespace

void mark_non_finite(std::span<const std::byte> elements, dtype type, byte_order order,
                     const std::array<std::span<std::byte>, 3>& marks) noexcept {
  with_float_layout(type, order, 0, [&](const auto& layout) {
    const std::size_t step = block_elements * element_size(type);
    for (std::size_t at = 0, mark = 0; at < elements.size(); at += step, mark += block_elements / 8) {
      const auto block = elements.subspan(at, std::min(step, elements.size() - at));
      if (find_non_finite(block, type, order)) {
        mark_by_eights(block, layout, mark, marks);
        continue;
      }
      for (const auto& each : marks) {
        const auto skipped = each.subspan(mark, std::min(block_elements / 8, each.size() - mark));
        std::fill(skipped.begin(), skipped.end(), std::byte{0});
      }
    }
    return 0;
  });
}

void zero_marked(std::span<std::byte> elements, std::size_t width,
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

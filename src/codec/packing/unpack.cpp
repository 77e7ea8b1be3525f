// SPDX-License-Identifier: Apache-2.0
// Compiled once for each instruction set; one is chosen at run time. Compiled with -ffp-contract=off: a fused
// multiplication and addition rounds once, but writers rounded twice.
//
// Eight elements of B bits are B whole bytes, so the bit positions within each group of eight are the same. Elements
// within 16 bytes (four of up to 25 bits, else two) take one load, one byte shuffle and a shift for each.
#include "codec/packing/unpack.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "wire/bytes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/packing/unpack.cpp"
#include "codec/simd/each_target.hpp"

#ifndef TGMAP_CODEC_UNPACK_TASK
#define TGMAP_CODEC_UNPACK_TASK
namespace tgmap::codec {

namespace {

/// Arguments of a kernel. `bits` is 1 to 64; the first element starts `phase` bits (0 to 7) into `packed`.
struct unpack_task {
  std::span<const std::byte> packed;
  unsigned bits, phase;
  double reference, scale;
  std::span<double> out;
};

constexpr std::size_t group_elements = 8;

}  // namespace

}  // namespace tgmap::codec
#endif

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128 && HWY_HAVE_FLOAT64 && HWY_HAVE_INTEGER64

namespace hn = hwy::HWY_NAMESPACE;

// Scalable vectors have no constant size for the tables: only their first 16 bytes are used.
#if HWY_HAVE_SCALABLE
using doubles = hn::CappedTag<double, 2>;
constexpr std::size_t vector_lanes = 2;
#else
using doubles = hn::CappedTag<double, group_elements>;
constexpr std::size_t vector_lanes = hn::MaxLanes(doubles());
#endif

/// The positions of eight elements, from the byte that holds the first bit. Each element is extracted from one Word. A
/// load has as many elements as there are Words in 16 bytes, or lanes.
template <class Word>
struct layout {
  static constexpr std::size_t a_load = std::min(16 / sizeof(Word), vector_lanes);

  alignas(64) std::array<Word, group_elements> shift{};  ///< bits before the element in its first byte
  alignas(64) std::array<std::uint8_t, sizeof(Word) * group_elements> order{};  ///< bytes of each, reversed
  std::array<std::size_t, group_elements / a_load> load{};                      ///< first byte of each load

  layout(unsigned bits, unsigned phase) noexcept {
    for (std::size_t i = 0; i < group_elements; ++i) {
      const std::size_t bit = phase + i * bits;
      if (i % a_load == 0) load[i / a_load] = bit / 8;
      shift[i] = static_cast<Word>(bit % 8);
      for (std::size_t k = 0; k < sizeof(Word); ++k)  // at most 15
        order[sizeof(Word) * i + k] = static_cast<std::uint8_t>(bit / 8 - load[i / a_load] + sizeof(Word) - 1 - k);
    }
  }
};

/// Loads the bytes at several offsets into one vector.
template <class Octets>
HWY_INLINE hn::Vec<Octets> load_all(Octets tag, const std::uint8_t* at, const std::size_t* load) {
#if !HWY_HAVE_SCALABLE
  if constexpr (hn::MaxLanes(Octets()) > 16) {
    const hn::Half<Octets> half;
    const auto upper = load_all(half, at, load + hn::MaxLanes(half) / 16);
    return hn::Combine(tag, upper, load_all(half, at, load));
  }
#endif
  return hn::LoadU(tag, at + *load);
}

HWY_INLINE hn::Vec<doubles> as_doubles(hn::Vec<hn::Rebind<std::uint32_t, doubles>> numbers) {
  return hn::PromoteTo(doubles(), hn::BitCast(hn::Rebind<std::int32_t, doubles>(), numbers));  // below 2^25
}
HWY_INLINE hn::Vec<doubles> as_doubles(hn::Vec<hn::Rebind<std::uint64_t, doubles>> numbers) {
  return hn::ConvertTo(doubles(), numbers);
}

/// Unpacks `count` times eight elements. `Ninth`: an element may reach into the ninth byte from its first one, so it
/// does not fit one Word.
template <class Word, bool Ninth>
void unpack_eights(const unpack_task& task, const std::uint8_t* at, std::size_t count, double* out) {
  const doubles d;
  const hn::Rebind<Word, doubles> w;
  const hn::Repartition<std::uint8_t, decltype(w)> o;
  using where_all = layout<Word>;
  const where_all where(task.bits, task.phase);
  const auto factor = hn::Set(d, task.scale), reference = hn::Set(d, task.reference);
  const auto unused = hn::Set(w, static_cast<Word>(8 * sizeof(Word) - task.bits)), eight = hn::Set(w, Word{8});
  const std::size_t bits = task.bits;
  for (; count != 0; --count, at += bits, out += group_elements) {
    for (std::size_t i = 0; i < group_elements; i += vector_lanes) {
      const std::size_t* const load = where.load.data() + i / where_all::a_load;
      const auto order = hn::Load(o, where.order.data() + sizeof(Word) * i);
      const auto shift = hn::Load(w, where.shift.data() + i);
      auto number = hn::Shl(hn::BitCast(w, hn::TableLookupBytes(load_all(o, at, load), order)), shift);
      if constexpr (Ninth) {
        const auto next = hn::BitCast(w, hn::TableLookupBytes(load_all(o, at + 1, load), order));
        number = hn::Or(number, hn::Shr(next, hn::Sub(eight, shift)));
      }
      hn::StoreU(hn::Add(reference, hn::Mul(factor, as_doubles(hn::Shr(number, unused)))), d, out + i);
    }
  }
}

void unpack_from(const unpack_task& task, std::span<const std::byte> packed, std::size_t count, double* out) {
  const auto* const at = reinterpret_cast<const std::uint8_t*>(packed.data());
  if (task.bits <= 25) return unpack_eights<std::uint32_t, false>(task, at, count, out);
  if (task.bits <= 57) return unpack_eights<std::uint64_t, false>(task, at, count, out);
  unpack_eights<std::uint64_t, true>(task, at, count, out);
}

bool unpack_by_vectors(const unpack_task& task) {
  const std::size_t wanted = task.out.size(), size = task.packed.size();
  const std::size_t reach = (task.phase + (group_elements - 1) * task.bits) / 8 + 17;  // bytes read for eight
  std::size_t eights = 0;
  if (size >= reach) eights = std::min(wanted / group_elements, (size - reach) / task.bits + 1);
  if (eights != 0) unpack_from(task, task.packed, eights, task.out.data());

  // The rest is fewer than eight elements, or too near to the end to be loaded in place.
  const std::size_t left = wanted - eights * group_elements;
  if (left == 0) return true;
  std::array<std::byte, 256> end{};
  std::array<double, 256> last;
  const auto rest = task.packed.subspan(eights * task.bits);
  std::memcpy(end.data(), rest.data(), std::min(rest.size(), end.size() - reach));
  unpack_from(task, end, (left + group_elements - 1) / group_elements, last.data());
  std::copy_n(last.begin(), left, task.out.end() - static_cast<std::ptrdiff_t>(left));
  return true;
}

#else

bool unpack_by_vectors(const unpack_task&) { return false; }  // no double vectors

#endif

}  // namespace

}  // namespace tgmap::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tgmap::codec {

namespace {

/// Returns a power by the multiplications of compiler-rt's __powidf2; another order differs in the last bit.
double whole_power(double base, std::int64_t exponent) noexcept {
  double power = 1;
  for (std::int64_t left = exponent;;) {
    if (left % 2 != 0) power *= base;
    left /= 2;
    if (left == 0) return exponent < 0 ? 1 / power : power;
    base *= base;
  }
}

/// Returns the `bits` bits (at least one) from `bit` on. Bytes past the end count as zero.
std::uint64_t bits_at(std::span<const std::byte> packed, std::uint64_t bit, unsigned bits) noexcept {
  const auto byte = static_cast<std::size_t>(bit / 8);
  const auto skipped = static_cast<unsigned>(bit % 8);
  std::uint64_t word = 0;
  if (wire::fits(byte, 8, packed.size())) {
    word = wire::load_be<std::uint64_t>(packed, byte);
  } else {
    for (std::size_t at = byte; at < byte + 8; ++at)
      word = word << 8 | (at < packed.size() ? std::to_integer<std::uint64_t>(packed[at]) : 0);
  }
  word <<= skipped;
  if (skipped + bits > 64) word |= std::to_integer<std::uint64_t>(packed[byte + 8]) >> (8 - skipped);
  return word >> (64 - bits);
}

}  // namespace

std::optional<std::uint64_t> packed_size(std::uint64_t elements, unsigned bits) noexcept {
  std::uint64_t all;
  if (__builtin_mul_overflow(elements, std::uint64_t{bits}, &all)) return std::nullopt;
  return all / 8 + (all % 8 != 0 ? 1 : 0);
}

double scale_of(std::int32_t binary, std::int32_t decimal) noexcept {
  return whole_power(2, binary) * whole_power(10, -std::int64_t{decimal});
}

bool holds_packed(std::span<const std::byte> packed, unsigned bits, std::uint64_t first, std::uint64_t count) noexcept {
  std::uint64_t end;
  if (bits > max_packed_bits || __builtin_add_overflow(first, count, &end)) return false;
  const auto needed = packed_size(end, bits);
  return needed && *needed <= packed.size();
}

bool unpack_plain(std::span<const std::byte> packed, unsigned bits, double reference, double scale, std::uint64_t first,
                  std::span<double> out) noexcept {
  if (!holds_packed(packed, bits, first, out.size())) return false;
  if (bits == 0) {
    std::fill(out.begin(), out.end(), reference);
    return true;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double scaled = scale * static_cast<double>(bits_at(packed, (first + i) * bits, bits));
    out[i] = reference + scaled;
  }
  return true;
}

TGMAP_EACH_TARGET(unpack_by_vectors);

bool unpack(std::span<const std::byte> packed, unsigned bits, double reference, double scale, std::uint64_t first,
            std::span<double> out) noexcept {
  if (!holds_packed(packed, bits, first, out.size())) return false;
  if (bits != 0 && !out.empty() && std::endian::native == std::endian::little) {
    const std::uint64_t begin = first * bits, end = (first + out.size()) * bits;  // holds_packed: no overflow
    const auto from = static_cast<std::size_t>(begin / 8), to = static_cast<std::size_t>(end / 8 + (end % 8 != 0));
    const unpack_task task{.packed = packed.subspan(from, to - from),
                           .bits = bits,
                           .phase = static_cast<unsigned>(begin % 8),
                           .reference = reference,
                           .scale = scale,
                           .out = out};
    if (TGMAP_BEST_TARGET(unpack_by_vectors)(task)) return true;
  }
  return unpack_plain(packed, bits, reference, scale, first, out);
}

}  // namespace tgmap::codec
#endif

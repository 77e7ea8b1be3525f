// SPDX-License-Identifier: Apache-2.0
// Compiled once for each instruction set; one is chosen at run time. Compiled with -ffp-contract=off: a fused
// multiplication and subtraction rounds once, but other writers round twice.
//
// Vectors convert numbers to integers. Integers of 8, 16 and 24 bits are stored directly; others are converted a block
// at a time, which stays in the cache, and then packed. Rounding half away from zero is truncating the sum of a
// non-negative product and the largest double below 0.5; adding 0.5 would round 0.49999999999999994 up.
#include "codec/packing/pack.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "codec/packing/bit_packer.hpp"
#include "codec/packing/unpack.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/packing/pack.cpp"
#include "codec/simd/each_target.hpp"

#ifndef TGMAP_CODEC_PACK_TASK
#define TGMAP_CODEC_PACK_TASK
namespace tgmap::codec {

namespace {

struct pack_task {
  std::span<const double> numbers;
  const packing_rule& by;
  std::byte* out;
};

enum class packed : unsigned char { not_yet, all, not_all };

/// Appends several integers at a time, as many as fit into a word.
template <std::size_t Together, class Integer>
void put_integers(std::span<const Integer> integers, unsigned bits, bit_packer& to) noexcept {
  std::size_t i = 0;
  for (; i + Together <= integers.size(); i += Together) {
    std::uint64_t word = integers[i];
    for (std::size_t k = 1; k < Together; ++k) word = word << bits | integers[i + k];
    to.put(word, Together * bits);
  }
  for (; i < integers.size(); ++i) to.put(integers[i], bits);
}

template <class Integer>
void put_some(std::span<const Integer> integers, unsigned bits, bit_packer& to) noexcept {
  if (bits <= 16) return put_integers<4>(integers, bits, to);
  if (bits <= 32) return put_integers<2>(integers, bits, to);
  put_integers<1>(integers, bits, to);
}

}  // namespace

}  // namespace tgmap::codec
#endif

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128 && HWY_HAVE_FLOAT64 && HWY_HAVE_INTEGER64

namespace hn = hwy::HWY_NAMESPACE;

using numbers_tag = hn::CappedTag<double, 8>;
using number_vector = hn::Vec<numbers_tag>;

/// Numbers of a block; a multiple of 8, so that a block ends at a byte boundary.
constexpr std::size_t block_numbers = 512;

/// Returns the sum whose truncation is the rounded product.
HWY_INLINE number_vector half_added(number_vector product) {
  return hn::Add(product, hn::Set(numbers_tag(), 0.49999999999999994));
}

/// Does the same for any product and clamps it; NaN becomes 0.
HWY_INLINE number_vector limited(number_vector product, double max) {
  const numbers_tag d;
  const auto positive = hn::IfThenElseZero(hn::Gt(product, hn::Zero(d)), product);
  return hn::Min(half_added(positive), hn::Set(d, max));
}

/// Stores the products of whole vectors, still to be truncated. Returns whether all fit.
template <class Limit, class Store>
HWY_INLINE bool store_products(std::span<const double> numbers, std::size_t first, const packing_rule& rule,
                               Limit limit, Store store) {
  const numbers_tag d;
  auto all = hn::Eq(hn::Zero(d), hn::Zero(d));
  for (std::size_t i = first; i < numbers.size(); i += hn::Lanes(d)) {
    const auto above = hn::Sub(hn::LoadU(d, numbers.data() + i), hn::Set(d, rule.reference));
    const auto product = hn::Mul(above, hn::Set(d, rule.factor));
    all = hn::And(all, hn::And(hn::Gt(product, hn::Set(d, -0.5)), hn::Lt(product, hn::Set(d, rule.product_end))));
    store(limit(product), i);
  }
  return hn::AllTrue(d, all);
}

/// Stores all whole vectors and returns how many numbers those are. A block is assumed to fit if the one before it did,
/// which saves a third of the time; if it does not, it is stored again with clamping.
template <class Store>
HWY_INLINE std::size_t each_vector(std::span<const double> numbers, const packing_rule& rule, bool& fit, Store store) {
  const packing_rule by = rule;  // a copy that stores cannot alias
  const auto max = static_cast<double>(by.max);
  const std::size_t lanes = hn::Lanes(numbers_tag()), whole = numbers.size() / lanes * lanes;
  bool fits = true;
  for (std::size_t first = 0, end; first < whole; first = end) {
    end = first + std::min(block_numbers, whole - first);
    const auto some = numbers.first(end);
    fits = fits && store_products(
                       some, first, by, [](number_vector at) HWY_ATTR { return half_added(at); }, store);
    if (fits) continue;
    fits = store_products(
        some, first, by, [=](number_vector at) HWY_ATTR { return limited(at, max); }, store);
    fit = fit && fits;
  }
  return whole;
}

/// Converts to integers of up to 31 bits. Numbers that fit exceed the largest integer by less than 1.
HWY_INLINE auto small_integers(number_vector numbers) {
  return hn::DemoteTo(hn::Rebind<std::int32_t, numbers_tag>(), numbers);
}

/// Converts to integers of up to 52 bits, with clamping. Near 2^52 the last bit of a double is 1.
HWY_INLINE auto large_integers(number_vector any, double max) {
  const numbers_tag d;
  const auto numbers = hn::Min(any, hn::Set(d, max));
  const hn::RebindToUnsigned<numbers_tag> u;
  const auto magic = hn::Set(d, 0x1p52);
  return hn::Xor(hn::BitCast(u, hn::Add(hn::Floor(numbers), magic)), hn::BitCast(u, magic));
}

/// Packs the numbers after the last whole vector.
HWY_INLINE void pack_rest(const pack_task& task, std::size_t from, bit_packer& to, bool& fit) {
  for (std::size_t i = from; i < task.numbers.size(); ++i) {
    fit = fit && task.by.fits(task.numbers[i]);
    to.put(task.by.integer(task.numbers[i]), task.by.bits);
  }
}

bool pack_bytes(const pack_task& task) {
  auto* const out = reinterpret_cast<std::uint8_t*>(task.out);
  bool fit = true;
  const std::size_t done = each_vector(task.numbers, task.by, fit, [&](number_vector numbers, std::size_t i) HWY_ATTR {
    hn::StoreU(hn::DemoteTo(hn::Rebind<std::uint8_t, numbers_tag>(), small_integers(numbers)),
               hn::Rebind<std::uint8_t, numbers_tag>(), out + i);
  });
  bit_packer rest(task.out + done);
  pack_rest(task, done, rest, fit);
  rest.finish();
  return fit;
}

bool pack_pairs(const pack_task& task) {
  const hn::Rebind<std::uint16_t, numbers_tag> u;
  const hn::Repartition<std::uint8_t, decltype(u)> bytes;
  alignas(16) static constexpr std::array<std::uint8_t, 16> places{1, 0, 3,  2,  5,  4,  7,  6,
                                                                   9, 8, 11, 10, 13, 12, 15, 14};
  std::byte* const out = task.out;
  bool fit = true;
  const std::size_t done = each_vector(task.numbers, task.by, fit, [&](number_vector numbers, std::size_t i) HWY_ATTR {
    const auto pairs = hn::DemoteTo(u, small_integers(numbers));
    const auto swapped = hn::TableLookupBytes(hn::BitCast(bytes, pairs), hn::Load(bytes, places.data()));
    hn::StoreU(swapped, bytes, reinterpret_cast<std::uint8_t*>(out + 2 * i));
  });
  bit_packer rest(out + 2 * done);
  pack_rest(task, done, rest, fit);
  rest.finish();
  return fit;
}

/// Converts blocks of numbers to integers, then packs their bits.
template <class Integer, class Convert>
HWY_INLINE bool pack_blocks(const pack_task& task, Convert convert) {
  const hn::Rebind<Integer, numbers_tag> tag;
  bit_packer to(task.out);
  bool fit = true;
  std::size_t done = 0;
  alignas(64) std::array<Integer, block_numbers> integers;
  while (task.numbers.size() - done >= block_numbers) {
    each_vector(task.numbers.subspan(done, block_numbers), task.by, fit,
                [&](number_vector numbers, std::size_t i)
                    HWY_ATTR { hn::Store(convert(numbers), tag, integers.data() + i); });
    put_some<Integer>(integers, task.by.bits, to);
    done += block_numbers;
  }
  const auto rest = task.numbers.subspan(done);
  const std::size_t more = each_vector(rest, task.by, fit, [&](number_vector numbers, std::size_t i) HWY_ATTR {
    hn::Store(convert(numbers), tag, integers.data() + i);
  });
  put_some<Integer>(std::span<const Integer>(integers).first(more), task.by.bits, to);
  pack_rest(task, done + more, to, fit);
  to.finish();
  return fit;
}

/// Each store writes 16 bytes, of which the last four are overwritten by the next; the end is packed differently.
bool pack_triples(const pack_task& task) {
  constexpr std::size_t behind = 2;  // numbers that the excess four bytes belong to
  const hn::FixedTag<std::uint8_t, 16> bytes;
  alignas(16) static constexpr std::array<std::uint8_t, 16> places{2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 0, 0, 0, 0};
  const auto order = hn::Load(bytes, places.data());
  const hn::Rebind<std::int32_t, numbers_tag> tag;
  auto* const out = reinterpret_cast<std::uint8_t*>(task.out);
  bool fit = true;
  std::size_t done = 0;
  alignas(64) std::array<std::int32_t, block_numbers> integers;
  for (; task.numbers.size() - done >= block_numbers + behind; done += block_numbers) {
    each_vector(task.numbers.subspan(done, block_numbers), task.by, fit,
                [&](number_vector numbers, std::size_t i)
                    HWY_ATTR { hn::Store(small_integers(numbers), tag, integers.data() + i); });
    for (std::size_t i = 0; i < block_numbers; i += 4) {
      const auto four = hn::Load(bytes, reinterpret_cast<const std::uint8_t*>(integers.data() + i));
      hn::StoreU(hn::TableLookupBytes(four, order), bytes, out + 3 * (done + i));
    }
  }
  return pack_blocks<std::uint32_t>(
             {task.numbers.subspan(done), task.by, task.out + 3 * done},
             [](number_vector numbers)
                 HWY_ATTR { return hn::BitCast(hn::Rebind<std::uint32_t, numbers_tag>(), small_integers(numbers)); }) &&
         fit;
}

packed pack_by_vectors(const pack_task& task) {
  const unsigned bits = task.by.bits;
  bool fit;
  if (bits == 8)
    fit = pack_bytes(task);
  else if (bits == 16)
    fit = pack_pairs(task);
  else if (bits == 24)
    fit = pack_triples(task);
  else if (bits <= 31)
    fit = pack_blocks<std::uint32_t>(task, [](number_vector numbers) HWY_ATTR {
      return hn::BitCast(hn::Rebind<std::uint32_t, numbers_tag>(), small_integers(numbers));
    });
  else if (bits <= 52)
    fit = pack_blocks<std::uint64_t>(task, [max = static_cast<double>(task.by.max)](number_vector numbers)
                                               HWY_ATTR { return large_integers(numbers, max); });
  else
    return packed::not_yet;
  return fit ? packed::all : packed::not_all;
}

#else

packed pack_by_vectors(const pack_task&) { return packed::not_yet; }  // no double vectors

#endif

}  // namespace

}  // namespace tgmap::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tgmap::codec {

namespace {

/// Returns the largest integer as a double, which is one more if it has more than 53 bits.
double as_double(std::uint64_t max) noexcept { return static_cast<double>(max); }

}  // namespace

packing_rule::packing_rule(const packing_parameters& with) noexcept
    : reference(with.reference),
      factor(scale_of(-with.binary_scale, -with.decimal_scale)),
      max(with.bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - with.bits)),
      bits(with.bits) {
  product_end = std::max(as_double(max) + 0.5, as_double(max) * (1 + 0x1p-51));
}

bool packing_rule::fits(double number) const noexcept {
  if (bits == 0) return number == reference;
  const double at = product(number);
  return at > -0.5 && at < product_end;
}

std::uint64_t packing_rule::integer(double number) const noexcept {
  const double rounded = std::round(product(number));
  if (!(rounded > 0)) return 0;
  return rounded < as_double(max) ? static_cast<std::uint64_t>(rounded) : max;
}

bool pack_plain(std::span<const double> numbers, const packing_rule& rule, std::span<std::byte> out) noexcept {
  bit_packer to(out.data());
  bool all = true;
  for (const double number : numbers) {
    all = all && rule.fits(number);
    if (rule.bits != 0) to.put(rule.integer(number), rule.bits);
  }
  to.finish();
  return all;
}

TGMAP_EACH_TARGET(pack_by_vectors);

bool pack(std::span<const double> numbers, const packing_rule& rule, std::span<std::byte> out) noexcept {
  if (rule.bits != 0 && std::endian::native == std::endian::little) {
    const packed done = TGMAP_BEST_TARGET(pack_by_vectors)({numbers, rule, out.data()});
    if (done != packed::not_yet) return done == packed::all;
  }
  return pack_plain(numbers, rule, out);
}

}  // namespace tgmap::codec
#endif

// SPDX-License-Identifier: Apache-2.0
// Compiled once for each instruction set; one is chosen at run time.
#include "codec/packing/number_range.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codec/packing/number_range.cpp"
#include "codec/simd/each_target.hpp"

#ifndef TGMAP_CODEC_VECTOR_RANGE
#define TGMAP_CODEC_VECTOR_RANGE
namespace tgmap::codec {

namespace {

struct vector_range {
  double min, max;  ///< of the finite numbers; +infinity and -infinity if there are none
  bool all_finite;
};

}  // namespace

}  // namespace tgmap::codec
#endif

HWY_BEFORE_NAMESPACE();
namespace tgmap::codec::HWY_NAMESPACE {

namespace {

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128 && HWY_HAVE_FLOAT64 && HWY_HAVE_INTEGER64

namespace hn = hwy::HWY_NAMESPACE;

using range_tag = hn::CappedTag<double, 8>;
using range_vector = hn::Vec<range_tag>;

/// Numbers that are first assumed to be finite; a multiple of two vectors.
constexpr std::size_t together = 512;

/// Updates the range if all numbers are finite. Zero times a number that is not is NaN, which shows in the sums.
HWY_INLINE bool add_finite(std::span<const double> numbers, range_vector& min, range_vector& max) {
  const range_tag d;
  const std::size_t lanes = hn::Lanes(d);
  auto even = hn::Zero(d), odd = even, low = min, high = max;
  for (std::size_t i = 0; i < numbers.size(); i += 2 * lanes) {
    const auto one = hn::LoadU(d, numbers.data() + i), other = hn::LoadU(d, numbers.data() + i + lanes);
    even = hn::MulAdd(one, hn::Zero(d), even);
    odd = hn::MulAdd(other, hn::Zero(d), odd);
    low = hn::Min(low, hn::Min(one, other));
    high = hn::Max(high, hn::Max(one, other));
  }
  if (!hn::AllTrue(d, hn::Eq(hn::Add(even, odd), hn::Zero(d)))) return false;
  min = low;
  max = high;
  return true;
}

bool range_by_vectors(std::span<const double> numbers, vector_range& out, std::size_t& done) {
  const range_tag d;
  const auto infinity = hn::Set(d, HUGE_VAL), minus_infinity = hn::Set(d, -HUGE_VAL);
  auto min = infinity, max = minus_infinity;
  auto all = hn::Eq(hn::Zero(d), hn::Zero(d));
  const std::size_t lanes = hn::Lanes(d), whole = numbers.size() / lanes * lanes;
  for (done = 0; done < whole;) {
    const std::size_t end = done + std::min(together, whole - done);
    if (end - done == together && add_finite(numbers.subspan(done, together), min, max)) done = end;
    for (; done < end; done += lanes) {
      const auto number = hn::LoadU(d, numbers.data() + done);
      const auto finite = hn::Lt(hn::Abs(number), infinity);
      all = hn::And(all, finite);
      min = hn::Min(min, hn::IfThenElse(finite, number, infinity));
      max = hn::Max(max, hn::IfThenElse(finite, number, minus_infinity));
    }
  }
  out = {.min = hn::GetLane(hn::MinOfLanes(d, min)),
         .max = hn::GetLane(hn::MaxOfLanes(d, max)),
         .all_finite = hn::AllTrue(d, all)};
  return true;
}

#else

bool range_by_vectors(std::span<const double>, vector_range&, std::size_t&) { return false; }  // no double vectors

#endif

}  // namespace

}  // namespace tgmap::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tgmap::codec {

TGMAP_EACH_TARGET(range_by_vectors);

void number_range::add_plain(std::span<const double> numbers) noexcept {
  for (const double number : numbers) {
    if (!std::isfinite(number)) {
      all_finite = false;
      continue;
    }
    if (!any) first = min = max = number;
    any = true;
    if (number < min) min = number;
    if (number > max) max = number;
  }
}

void number_range::add(std::span<const double> all) noexcept {
  // Align vectors to cache lines: loads that cross one cost twice as much.
  const std::size_t before = (64 - reinterpret_cast<std::uintptr_t>(all.data()) % 64) % 64 / sizeof(double);
  add_plain(all.first(std::min(before, all.size())));
  const auto numbers = all.subspan(std::min(before, all.size()));
  vector_range found{};
  std::size_t done = 0;
  if (TGMAP_BEST_TARGET(range_by_vectors)(numbers, found, done)) {
    const auto seen = numbers.first(done);
    all_finite = all_finite && found.all_finite;
    if (found.min <= found.max) {
      // The vector result has neither the first number nor the sign of zeros.
      if (!any)
        first = min = max = *std::find_if(seen.begin(), seen.end(), [](double each) { return std::isfinite(each); });
      if (found.min < min) min = found.min == 0 ? *std::find(seen.begin(), seen.end(), 0.0) : found.min;
      max = std::max(max, found.max);
      any = true;
    }
  }
  add_plain(numbers.subspan(done));
}

}  // namespace tgmap::codec
#endif

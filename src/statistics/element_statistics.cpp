// SPDX-License-Identifier: Apache-2.0
#include "statistics/element_statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <new>
#include <tgmap/mapping_guard.hpp>
#include <vector>

#include "statistics/accumulator.hpp"
#include "statistics/load_doubles.hpp"

namespace tgmap::statistics {

namespace {

// Elements of a piece. Measuring them takes some microseconds, much longer than handing them to a thread.
constexpr std::uint64_t piece_size = 1 << 16;
constexpr std::size_t block_size = 4096;  // doubles; they fit the L1 cache

struct element_range {
  std::uint64_t first, count;
};

template <class Number>
struct piece_statistics {
  accumulator numbers{};
  Number min{}, max{};
  std::uint64_t ones = 0;
  failure why{};
};

/// A `pairwise_sum` merges accumulators two by two, the results two by two, and so on.
class pairwise_sum {
 public:
  void add(const accumulator& accumulator) {
    parts_.push_back({accumulator, 1});
    while (parts_.size() > 1 && parts_.back().pieces == parts_[parts_.size() - 2].pieces) join();
  }
  accumulator total() {
    while (parts_.size() > 1) join();
    return parts_.empty() ? accumulator() : parts_.front().of;
  }

 private:
  struct part {
    accumulator of;
    std::uint64_t pieces;
  };
  void join() {
    const part last = parts_.back();
    parts_.pop_back();
    parts_.back().of.add(last.of);
    parts_.back().pieces += last.pieces;
  }
  std::vector<part> parts_;
};

template <class T>
T element_at(std::span<const std::byte> elements, std::uint64_t i) noexcept {
  T out;
  std::memcpy(&out, elements.data() + i * sizeof(T), sizeof out);
  return out;
}

/// Measures dtypes whose elements fit double: floating and complex numbers, and small integers.
struct double_meter {
  using number = double;

  explicit double_meter(const tensor& tensor) : bytes(tensor.bytes()), dtype(tensor.dtype()) {}

  void measure(element_range part, piece_statistics<double>& out) const noexcept {
    std::array<double, block_size> some;
    for (std::uint64_t done = 0; done < part.count;) {
      const auto now = std::span(some).first(std::min<std::uint64_t>(block_size, part.count - done));
      load_doubles(bytes, dtype, part.first + done, 1, now);
      if (dtype == tgmap::dtype::complex64) restore_signs<float>(part.first + done, now);
      if (dtype == tgmap::dtype::complex128) restore_signs<double>(part.first + done, now);
      out.numbers.add(now);
      done += now.size();
    }
    out.min = out.numbers.min();
    out.max = out.numbers.max();
  }
  double mean(double of_numbers) const noexcept { return of_numbers; }

  std::span<const std::byte> bytes;
  tgmap::dtype dtype;

 private:
  /// Makes infinite magnitudes negative if a component is -∞ and none is +∞. Spec: §6.2.
  template <class T>
  void restore_signs(std::uint64_t first, std::span<double> magnitudes) const noexcept {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < magnitudes.size(); ++i) {
      if (!std::isinf(magnitudes[i])) continue;
      const T real = element_at<T>(bytes, 2 * (first + i)), imaginary = element_at<T>(bytes, 2 * (first + i) + 1);
      const bool negative = real == -infinity || imaginary == -infinity;
      if (negative && real != infinity && imaginary != infinity) magnitudes[i] = -magnitudes[i];
    }
  }
};

/// Measures 64-bit integers as distances from the first one.
template <std::integral T>
struct wide_integer_meter {
  using number = T;

  wide_integer_meter(const tensor& tensor, failure& why) : bytes(tensor.bytes()) {
    why = mapping_guard::run([&]() noexcept { origin = element_at<T>(bytes, 0); });
  }

  void measure(element_range part, piece_statistics<T>& out) const noexcept {
    out.min = out.max = element_at<T>(bytes, part.first);
    std::array<double, block_size> some;
    for (std::uint64_t done = 0; done < part.count;) {
      const auto now = std::span(some).first(std::min<std::uint64_t>(block_size, part.count - done));
      for (std::size_t i = 0; i < now.size(); ++i) {
        const T each = element_at<T>(bytes, part.first + done + i);
        out.min = std::min(out.min, each);
        out.max = std::max(out.max, each);
        now[i] = distance(each);
      }
      out.numbers.add(now);
      done += now.size();
    }
  }
  double mean(double of_distances) const noexcept {
    return static_cast<double>(static_cast<long double>(origin) + static_cast<long double>(of_distances));
  }

  std::span<const std::byte> bytes;
  T origin{};

 private:
  double distance(T each) const noexcept {
    const auto a = static_cast<std::uint64_t>(each), b = static_cast<std::uint64_t>(origin);  // differences wrap
    return each >= origin ? static_cast<double>(a - b) : -static_cast<double>(b - a);
  }
};

/// Counts the bits of a bitmask.
struct bit_meter {
  using number = double;

  explicit bit_meter(const tensor& tensor) : bytes(tensor.bytes()) {}

  void measure(element_range part, piece_statistics<double>& out) const noexcept {
    for (std::uint64_t i = 0; i < part.count; i += 8) {  // pieces begin at whole bytes
      auto byte = std::to_integer<unsigned>(bytes[static_cast<std::size_t>((part.first + i) / 8)]);
      if (part.count - i < 8) byte &= 0xff00U >> (part.count - i);
      out.ones += static_cast<unsigned>(std::popcount(byte & 0xffU));
    }
  }

  std::span<const std::byte> bytes;
};

/// Measures all pieces of a tensor, each on one thread.
template <class Meter>
std::vector<piece_statistics<typename Meter::number>> measure_pieces(const Meter& meter, const tensor& tensor,
                                                                     executor* executor, failure& why) {
  using piece_type = piece_statistics<typename Meter::number>;
  std::vector<piece_type> out(static_cast<std::size_t>((tensor.size() + piece_size - 1) / piece_size));
  const auto measure = [&](std::size_t i) noexcept {
    const std::uint64_t first = i * piece_size;
    const element_range part{first, std::min(piece_size, tensor.size() - first)};
    out[i].why = mapping_guard::run([&]() noexcept { meter.measure(part, out[i]); });
  };
  if (executor != nullptr && out.size() > 1) {
    using work = decltype(measure);
    executor->run(out.size(), {[](void* what, std::size_t i) noexcept { (*static_cast<const work*>(what))(i); },
                               const_cast<void*>(static_cast<const void*>(&measure))});
  } else {
    for (std::size_t i = 0; i < out.size(); ++i) measure(i);
  }
  for (const piece_type& each : out)
    if (each.why && !why) why = each.why;
  return out;
}

/// Returns an element in the type that holds its dtype exactly.
template <class Number>
exact_number exact(Number x, dtype of) noexcept {
  switch (of) {
    case dtype::int8:
    case dtype::int16:
    case dtype::int32:
    case dtype::int64: return static_cast<std::int64_t>(x);
    case dtype::uint8:
    case dtype::uint16:
    case dtype::uint32:
    case dtype::uint64: return static_cast<std::uint64_t>(x);
    default: return static_cast<double>(x);
  }
}

// A piece without finite numbers has NaN as its min and max.
bool is_missing(double x) noexcept { return std::isnan(x); }
bool is_missing(std::integral auto) noexcept { return false; }

template <class Meter>
void add_numbers(const Meter& meter, const tensor& tensor, executor* executor, element_statistics& out, failure& why) {
  const auto pieces = measure_pieces(meter, tensor, executor, why);
  if (why) return;
  pairwise_sum sum;
  auto min = pieces.front().min, max = pieces.front().max;
  for (const auto& each : pieces) {
    sum.add(each.numbers);
    if (each.min < min || is_missing(min)) min = each.min;
    if (each.max > max || is_missing(max)) max = each.max;
  }
  const accumulator all = sum.total();
  out.nan = all.nan_count();
  out.positive_infinities = all.positive_infinities();
  out.negative_infinities = all.negative_infinities();
  if (all.finite_count() == 0) return;
  out.min = exact(min, tensor.dtype());
  out.max = exact(max, tensor.dtype());
  out.mean = meter.mean(all.mean());
  out.standard_deviation = all.standard_deviation();
}

void add_bits(const tensor& tensor, executor* executor, element_statistics& out, failure& why) {
  const auto pieces = measure_pieces(bit_meter(tensor), tensor, executor, why);
  if (why) return;
  std::uint64_t ones = 0;
  for (const auto& each : pieces) ones += each.ones;
  const auto n = static_cast<double>(tensor.size()), set = static_cast<double>(ones);
  out.min = std::uint64_t{ones == tensor.size() ? 1U : 0U};
  out.max = std::uint64_t{ones != 0 ? 1U : 0U};
  out.mean = set / n;
  out.standard_deviation = std::sqrt(set / n * ((n - set) / n));
}

bool is_native(const tensor& tensor) noexcept {
  constexpr bool big = std::endian::native == std::endian::big;
  return swap_unit(tensor.dtype()) <= 1 || (tensor.byte_order() == byte_order::big) == big;
}

}  // namespace

element_statistics compute_statistics(const tensor& tensor, executor* executor, failure& why) noexcept try {
  why = {};
  element_statistics out{.elements = tensor.size()};
  if (tensor.size() == 0) return out;
  if (!is_native(tensor)) {
    why = {.code = errc::foreign_byte_order};
    return {};
  }
  if (tensor.dtype() == dtype::bitmask)
    add_bits(tensor, executor, out, why);
  else if (tensor.dtype() == dtype::int64)
    add_numbers(wide_integer_meter<std::int64_t>(tensor, why), tensor, executor, out, why);
  else if (tensor.dtype() == dtype::uint64)
    add_numbers(wide_integer_meter<std::uint64_t>(tensor, why), tensor, executor, out, why);
  else
    add_numbers(double_meter(tensor), tensor, executor, out, why);
  return why ? element_statistics{} : out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

}  // namespace tgmap::statistics

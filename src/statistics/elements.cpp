// SPDX-License-Identifier: Apache-2.0
#include "statistics/elements.hpp"

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
#include "statistics/numbers.hpp"

namespace tgmap::statistics {

namespace {

constexpr std::uint64_t piece_size = 1 << 16;  // elements: some microseconds, beside which a thread costs little
constexpr std::size_t block_size = 4096;       // numbers: they stay in the nearest cache

/// Elements [first, first + count).
struct stretch {
  std::uint64_t first, count;
};

template <class Number>
struct measured_piece {
  accumulator numbers{};
  Number least{}, greatest{};
  std::uint64_t ones = 0;
  failure why{};
};

/// Pieces one after another, brought together two by two, those of two by two, and so on.
class by_pairs {
 public:
  void add(const accumulator& one) {
    waiting_.push_back({one, 1});
    while (waiting_.size() > 1 && waiting_.back().pieces == waiting_[waiting_.size() - 2].pieces) join();
  }
  accumulator all() {
    while (waiting_.size() > 1) join();
    return waiting_.empty() ? accumulator() : waiting_.front().of;
  }

 private:
  struct part {
    accumulator of;
    std::uint64_t pieces;
  };
  void join() {
    const part last = waiting_.back();
    waiting_.pop_back();
    waiting_.back().of.add(last.of);
    waiting_.back().pieces += last.pieces;
  }
  std::vector<part> waiting_;
};

template <class T>
T element_at(std::span<const std::byte> elements, std::uint64_t i) noexcept {
  T out;
  std::memcpy(&out, elements.data() + i * sizeof(T), sizeof out);
  return out;
}

/// Floating and complex numbers, and integers that doubles hold.
struct numbers_that_fit {
  using number = double;

  explicit numbers_that_fit(const tensor& of) : bytes(of.bytes()), dtype(of.dtype()) {}

  void measure(stretch part, measured_piece<double>& out) const noexcept {
    std::array<double, block_size> some;
    for (std::uint64_t done = 0; done < part.count;) {
      const auto now = std::span(some).first(std::min<std::uint64_t>(block_size, part.count - done));
      numbers_of(bytes, dtype, part.first + done, 1, now);
      if (dtype == tgmap::dtype::complex64) turn_negative<float>(part.first + done, now);
      if (dtype == tgmap::dtype::complex128) turn_negative<double>(part.first + done, now);
      out.numbers.add(now);
      done += now.size();
    }
    out.least = out.numbers.least();
    out.greatest = out.numbers.greatest();
  }
  double mean(double of_numbers) const noexcept { return of_numbers; }

  std::span<const std::byte> bytes;
  tgmap::dtype dtype;

 private:
  /// Magnitudes have no sign; of infinite ones the components have: without one of +∞ it counts as -∞ (§6.2).
  template <class T>
  void turn_negative(std::uint64_t first, std::span<double> magnitudes) const noexcept {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    for (std::size_t i = 0; i < magnitudes.size(); ++i) {
      if (!std::isinf(magnitudes[i])) continue;
      const T real = element_at<T>(bytes, 2 * (first + i)), imaginary = element_at<T>(bytes, 2 * (first + i) + 1);
      const bool negative = real == -infinity || imaginary == -infinity;
      if (negative && real != infinity && imaginary != infinity) magnitudes[i] = -magnitudes[i];
    }
  }
};

/// Integers of 64 bits, as their distances from the first one.
template <std::integral T>
struct wide_integers {
  using number = T;

  wide_integers(const tensor& of, failure& why) : bytes(of.bytes()) {
    why = mapping_guard::run([&]() noexcept { origin = element_at<T>(bytes, 0); });
  }

  void measure(stretch part, measured_piece<T>& out) const noexcept {
    out.least = out.greatest = element_at<T>(bytes, part.first);
    std::array<double, block_size> some;
    for (std::uint64_t done = 0; done < part.count;) {
      const auto now = std::span(some).first(std::min<std::uint64_t>(block_size, part.count - done));
      for (std::size_t i = 0; i < now.size(); ++i) {
        const T each = element_at<T>(bytes, part.first + done + i);
        out.least = std::min(out.least, each);
        out.greatest = std::max(out.greatest, each);
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
    const auto a = static_cast<std::uint64_t>(each), b = static_cast<std::uint64_t>(origin);  // wraps, as it should
    return each >= origin ? static_cast<double>(a - b) : -static_cast<double>(b - a);
  }
};

struct packed_bits {
  using number = double;

  explicit packed_bits(const tensor& of) : bytes(of.bytes()) {}

  void measure(stretch part, measured_piece<double>& out) const noexcept {
    for (std::uint64_t i = 0; i < part.count; i += 8) {  // pieces begin at whole bytes
      auto byte = std::to_integer<unsigned>(bytes[static_cast<std::size_t>((part.first + i) / 8)]);
      if (part.count - i < 8) byte &= 0xff00U >> (part.count - i);
      out.ones += static_cast<unsigned>(std::popcount(byte & 0xffU));
    }
  }

  std::span<const std::byte> bytes;
};

/// All pieces of a tensor that has elements, each measured by one thread.
template <class Kind>
std::vector<measured_piece<typename Kind::number>> measured(const Kind& kind, const tensor& of, executor* on,
                                                            failure& why) {
  using piece_type = measured_piece<typename Kind::number>;
  std::vector<piece_type> out(static_cast<std::size_t>((of.size() + piece_size - 1) / piece_size));
  const auto measure = [&](std::size_t i) noexcept {
    const std::uint64_t first = i * piece_size;
    const stretch part{first, std::min(piece_size, of.size() - first)};
    out[i].why = mapping_guard::run([&]() noexcept { kind.measure(part, out[i]); });
  };
  if (on != nullptr && out.size() > 1) {
    using work = decltype(measure);
    on->run(out.size(), {[](void* what, std::size_t i) noexcept { (*static_cast<const work*>(what))(i); },
                         const_cast<void*>(static_cast<const void*>(&measure))});
  } else {
    for (std::size_t i = 0; i < out.size(); ++i) measure(i);
  }
  for (const piece_type& each : out)
    if (each.why && !why) why = each.why;
  return out;
}

/// An element, which its dtype says how to hold.
template <class Number>
exact_number exactly(Number x, dtype of) noexcept {
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

/// The least and the greatest of no finite number are NaN.
bool none(double x) noexcept { return std::isnan(x); }
bool none(std::integral auto) noexcept { return false; }

template <class Kind>
void add_numbers(const Kind& kind, const tensor& of, executor* on, element_statistics& out, failure& why) {
  const auto pieces = measured(kind, of, on, why);
  if (why) return;
  by_pairs joined;
  auto least = pieces.front().least, greatest = pieces.front().greatest;
  for (const auto& each : pieces) {
    joined.add(each.numbers);
    if (each.least < least || none(least)) least = each.least;
    if (each.greatest > greatest || none(greatest)) greatest = each.greatest;
  }
  const accumulator all = joined.all();
  out.nan = all.missing();
  out.positive_infinities = all.positive_infinities();
  out.negative_infinities = all.negative_infinities();
  if (all.finite() == 0) return;
  out.least = exactly(least, of.dtype());
  out.greatest = exactly(greatest, of.dtype());
  out.mean = kind.mean(all.mean());
  out.deviation = all.deviation();
}

void add_bits(const tensor& of, executor* on, element_statistics& out, failure& why) {
  const auto pieces = measured(packed_bits(of), of, on, why);
  if (why) return;
  std::uint64_t ones = 0;
  for (const auto& each : pieces) ones += each.ones;
  const auto n = static_cast<double>(of.size()), set = static_cast<double>(ones);
  out.least = std::uint64_t{ones == of.size() ? 1U : 0U};
  out.greatest = std::uint64_t{ones != 0 ? 1U : 0U};
  out.mean = set / n;
  out.deviation = std::sqrt(set / n * ((n - set) / n));
}

bool readable(const tensor& of) noexcept {
  constexpr bool big = std::endian::native == std::endian::big;
  return swap_unit(of.dtype()) <= 1 || (of.byte_order() == byte_order::big) == big;
}

}  // namespace

element_statistics statistics_of(const tensor& of, executor* on, failure& why) noexcept try {
  why = {};
  element_statistics out{.elements = of.size()};
  if (of.size() == 0) return out;
  if (!readable(of)) {
    why = {.code = errc::foreign_byte_order};
    return {};
  }
  if (of.dtype() == dtype::bitmask)
    add_bits(of, on, out, why);
  else if (of.dtype() == dtype::int64)
    add_numbers(wide_integers<std::int64_t>(of, why), of, on, out, why);
  else if (of.dtype() == dtype::uint64)
    add_numbers(wide_integers<std::uint64_t>(of, why), of, on, out, why);
  else
    add_numbers(numbers_that_fit(of), of, on, out, why);
  return why ? element_statistics{} : out;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

}  // namespace tgmap::statistics

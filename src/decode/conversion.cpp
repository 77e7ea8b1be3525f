// SPDX-License-Identifier: Apache-2.0
// Elements are converted through the widest type of their kind, a block at a time. This needs a loop for each type, not
// for each pair of types.
#include "decode/conversion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <concepts>
#include <limits>
#include <utility>

#include "decode/narrow_float.hpp"

namespace tgmap::decode {

namespace {

constexpr std::size_t block = 512;
using complex_number = std::complex<double>;

/// Stores a number in `to`. Returns false if `to` cannot represent it.
template <class To, class Wide>
bool store(Wide from, To& to) noexcept;

template <std::integral To>
bool store_real(double from, To& to) noexcept {
  // The maximum may not be a double, but the power of two above it is one.
  constexpr double below = static_cast<double>(std::numeric_limits<To>::min());
  const double above = 2.0 * static_cast<double>(To{1} << (std::numeric_limits<To>::digits - 1));
  if (!(from >= below && from < above) || std::trunc(from) != from) return false;
  to = static_cast<To>(from);
  return true;
}

bool store_real(double from, double& to) noexcept {
  to = from;
  return true;
}

bool store_real(double from, float& to) noexcept {
  to = static_cast<float>(from);
  return std::isfinite(to) || !std::isfinite(from);
}

bool store_real(double from, float16& to) noexcept {
  const auto rounded = to_float16(from);
  if (rounded) to = *rounded;
  return rounded.has_value();
}

bool store_real(double from, bfloat16& to) noexcept {
  const auto rounded = to_bfloat16(from);
  if (rounded) to = *rounded;
  return rounded.has_value();
}

/// Converts to a double such that rounding it again to 16 bits equals rounding once: lost bits set the last kept bit.
template <std::integral Wide>
double round_to_odd(Wide from) noexcept {
  const bool negative = std::cmp_less(from, 0);
  std::uint64_t size = static_cast<std::uint64_t>(from);
  if (negative) size = 0 - size;
  if (size >> 53 != 0) size = (size & ~std::uint64_t{0x7ff}) | ((size & 0x7ff) != 0 ? 0x800 : 0);
  const auto wide = static_cast<double>(size);
  return negative ? -wide : wide;
}

template <class To, std::integral Wide>
bool store_integer(Wide from, To& to) noexcept {
  if constexpr (std::integral<To>) {
    if (!std::in_range<To>(from)) return false;
    to = static_cast<To>(from);
    return true;
  } else if constexpr (std::floating_point<To>) {
    to = static_cast<To>(from);
    return true;
  } else {
    return store_real(round_to_odd(from), to);
  }
}

template <class To, class Wide>
bool store(Wide from, To& to) noexcept {
  if constexpr (requires { typename To::value_type; }) {  // complex
    typename To::value_type real{}, imaginary{};
    bool is_representable = false;
    if constexpr (std::same_as<Wide, complex_number>)
      is_representable = store_real(from.real(), real) && store_real(from.imag(), imaginary);
    else
      is_representable = store(from, real);
    to = To(real, imaginary);
    return is_representable;
  } else if constexpr (std::same_as<Wide, complex_number>) {
    return from.imag() == 0 && store_real(from.real(), to);
  } else if constexpr (std::integral<Wide>) {
    return store_integer(from, to);
  } else {
    return store_real(from, to);
  }
}

/// Calls `with` with a null pointer to the type of a dtype; does nothing for bitmasks.
template <class With>
void with_type(dtype of, With&& with) noexcept {
  switch (of) {
    case dtype::float16: return with(static_cast<float16*>(nullptr));
    case dtype::bfloat16: return with(static_cast<bfloat16*>(nullptr));
    case dtype::float32: return with(static_cast<float*>(nullptr));
    case dtype::float64: return with(static_cast<double*>(nullptr));
    case dtype::complex64: return with(static_cast<std::complex<float>*>(nullptr));
    case dtype::complex128: return with(static_cast<complex_number*>(nullptr));
    case dtype::int8: return with(static_cast<std::int8_t*>(nullptr));
    case dtype::int16: return with(static_cast<std::int16_t*>(nullptr));
    case dtype::int32: return with(static_cast<std::int32_t*>(nullptr));
    case dtype::int64: return with(static_cast<std::int64_t*>(nullptr));
    case dtype::uint8: return with(static_cast<std::uint8_t*>(nullptr));
    case dtype::uint16: return with(static_cast<std::uint16_t*>(nullptr));
    case dtype::uint32: return with(static_cast<std::uint32_t*>(nullptr));
    case dtype::uint64: return with(static_cast<std::uint64_t*>(nullptr));
    case dtype::bitmask: return;
  }
}

/// The type through which elements are converted.
template <class From>
struct widest_helper {
  using type = double;
};
template <class From>
struct widest_helper<std::complex<From>> {
  using type = complex_number;
};
template <std::signed_integral From>
struct widest_helper<From> {
  using type = std::int64_t;
};
template <std::unsigned_integral From>
struct widest_helper<From> {
  using type = std::uint64_t;
};
template <class From>
using widest = typename widest_helper<From>::type;

template <class From>
widest<From> widened(From from) noexcept {
  if constexpr (std::same_as<From, float16> || std::same_as<From, bfloat16>)
    return static_cast<double>(static_cast<float>(from));
  else
    return static_cast<widest<From>>(from);
}

template <class Wide>
void load(std::span<const std::byte> from, dtype from_type, std::uint64_t first, std::span<Wide> out) noexcept {
  if (from_type == dtype::bitmask) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::uint64_t at = first + i;
      out[i] = static_cast<Wide>(std::to_integer<unsigned>(from[static_cast<std::size_t>(at / 8)]) >> (7 - at % 8) & 1);
    }
    return;
  }
  with_type(from_type, [&]<class From>(From*) {
    if constexpr (std::same_as<Wide, widest<From>>) {
      const auto* const at = reinterpret_cast<const From*>(from.data()) + first;
      std::transform(at, at + out.size(), out.begin(), widened<From>);
    }
  });
}

/// Stores numbers. Returns the index of the first one that is not representable, or their count.
template <class Wide>
std::size_t store_all(std::span<const Wide> numbers, std::span<std::byte> to, dtype to_type,
                      std::uint64_t first) noexcept {
  std::size_t done = 0;
  if (to_type == dtype::bitmask) {
    for (; done < numbers.size(); ++done) {
      if (numbers[done] != Wide(0) && numbers[done] != Wide(1)) return done;
      const std::uint64_t at = first + done;
      if (at % 8 == 0) to[static_cast<std::size_t>(at / 8)] = std::byte{0};
      if (numbers[done] == Wide(1)) to[static_cast<std::size_t>(at / 8)] |= std::byte{0x80} >> static_cast<int>(at % 8);
    }
    return done;
  }
  with_type(to_type, [&]<class To>(To*) {
    auto* const at = reinterpret_cast<To*>(to.data()) + first;
    while (done < numbers.size() && store(numbers[done], at[done])) ++done;
  });
  return done;
}

template <class Wide>
failure convert_by(std::span<const std::byte> from, dtype from_type, std::span<std::byte> to, dtype to_type,
                   std::uint64_t elements) noexcept {
  std::array<Wide, block> wide;
  for (std::uint64_t first = 0; first < elements; first += block) {
    const auto now = std::span(wide).first(static_cast<std::size_t>(std::min<std::uint64_t>(block, elements - first)));
    load<Wide>(from, from_type, first, now);
    const std::size_t done = store_all<Wide>(now, to, to_type, first);
    if (done != now.size()) return {.code = errc::not_representable, .found = first + done};
  }
  return {};
}

}  // namespace

failure convert(std::span<const std::byte> from, dtype from_type, std::span<std::byte> to, dtype to_type,
                std::uint64_t elements) noexcept {
  switch (from_type) {
    case dtype::complex64:
    case dtype::complex128: return convert_by<complex_number>(from, from_type, to, to_type, elements);
    case dtype::float16:
    case dtype::bfloat16:
    case dtype::float32:
    case dtype::float64: return convert_by<double>(from, from_type, to, to_type, elements);
    case dtype::int8:
    case dtype::int16:
    case dtype::int32:
    case dtype::int64: return convert_by<std::int64_t>(from, from_type, to, to_type, elements);
    default: return convert_by<std::uint64_t>(from, from_type, to, to_type, elements);
  }
}

}  // namespace tgmap::decode

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <tgmap/dtype.hpp>
#include <tgmap/tools/compare.hpp>
#include <type_traits>

#include "core/c_order_iterator.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

// Integers are compared exactly, all other numbers as doubles.
double widen(float x) { return x; }
double widen(double x) { return x; }
std::complex<double> widen(std::complex<float> x) { return {x.real(), x.imag()}; }
std::complex<double> widen(std::complex<double> x) { return x; }
std::int64_t widen(std::int64_t x) { return x; }
std::uint64_t widen(std::uint64_t x) { return x; }

/// A number of any dtype, for elements of different dtypes.
using any_number = std::variant<std::int64_t, std::uint64_t, double, std::complex<double>>;

any_number widen(const element_value& x) {
  return std::visit([](const auto& number) { return any_number(widen(number)); }, x);
}

bool is_finite(std::int64_t) { return true; }
bool is_finite(std::uint64_t) { return true; }
bool is_finite(double x) { return std::isfinite(x); }
bool is_finite(std::complex<double> x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }
bool is_finite(const any_number& x) {
  return std::visit([](const auto& number) { return is_finite(number); }, x);
}

/// Returns whether a floating point number is a number of the integer type `T`.
template <std::integral T>
bool is_integer(double x) {
  const double end = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
  return x == std::trunc(x) && x >= static_cast<double>(std::numeric_limits<T>::min()) && x < end;
}

template <std::integral T>
bool are_equal(T a, T b) {
  return a == b;
}
bool are_equal(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool are_equal(std::complex<double> a, std::complex<double> b) {
  return are_equal(a.real(), b.real()) && are_equal(a.imag(), b.imag());
}
bool are_equal(std::int64_t a, std::uint64_t b) { return std::cmp_equal(a, b); }
template <std::integral T>
bool are_equal(T a, double b) {
  return is_integer<T>(b) && static_cast<T>(b) == a;
}
template <class T>
requires std::is_arithmetic_v<T>
bool are_equal(T a, std::complex<double> b) { return are_equal(a, b.real()) && b.imag() == 0; }

template <std::integral T>
double distance(T a, T b) {
  const auto high = static_cast<std::uint64_t>(std::max(a, b)), low = static_cast<std::uint64_t>(std::min(a, b));
  return static_cast<double>(high - low);  // also correct if the distance exceeds the signed range
}
double distance(double a, double b) { return std::abs(a - b); }
double distance(std::complex<double> a, std::complex<double> b) { return std::abs(a - b); }
double distance(std::int64_t a, std::uint64_t b) {
  return a < 0 ? static_cast<double>(b) - static_cast<double>(a) : distance(static_cast<std::uint64_t>(a), b);
}
template <std::integral T>
double distance(T a, double b) {
  if (is_integer<T>(b)) return distance(a, static_cast<T>(b));
  const double apart = distance(static_cast<double>(a), b);
  return apart > 0 ? apart : 1;  // 2^64 - 1 and 2^64
}
template <class T>
requires std::is_arithmetic_v<T>
double distance(T a, std::complex<double> b) { return std::hypot(distance(a, b.real()), b.imag()); }

template <class T>
double magnitude(const T& x) {
  if constexpr (std::is_integral_v<T>)
    return std::abs(static_cast<double>(x));
  else
    return std::abs(x);
}
double magnitude(const any_number& x) {
  return std::visit([](const auto& number) { return magnitude(number); }, x);
}

template <class T>
constexpr int width_of = std::is_same_v<T, std::int64_t>    ? 0
                         : std::is_same_v<T, std::uint64_t> ? 1
                         : std::is_same_v<T, double>        ? 2
                                                            : 3;

/// Calls `f` with both numbers, that of the narrower type first.
template <class F>
auto with_narrower_first(const any_number& a, const any_number& b, F&& f) {
  return std::visit(
      [&]<class A, class B>(const A& x, const B& y) {
        if constexpr (width_of<A> <= width_of<B>)
          return f(x, y);
        else
          return f(y, x);
      },
      a, b);
}

bool are_equal(const any_number& a, const any_number& b) {
  return with_narrower_first(a, b, [](const auto& x, const auto& y) { return are_equal(x, y); });
}
double distance(const any_number& a, const any_number& b) {
  return with_narrower_first(a, b, [](const auto& x, const auto& y) { return distance(x, y); });
}

/// Reads the elements of a tensor, one type for each dtype.
template <class T>
struct element_reader {
  explicit element_reader(const tensor& from) : data(from.bytes().data()) {}
  auto operator()(std::uint64_t i) const {
    if constexpr (std::is_same_v<T, bool>) {
      return std::to_integer<std::uint64_t>(data[i / 8] >> (7 - i % 8) & std::byte{1});
    } else {
      T out;
      std::memcpy(&out, data + i * sizeof out, sizeof out);
      if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>)
        return static_cast<float>(out);
      else if constexpr (std::signed_integral<T>)
        return std::int64_t{out};
      else if constexpr (std::unsigned_integral<T>)
        return std::uint64_t{out};
      else
        return out;
    }
  }
  const std::byte* data;
};

/// Reads the elements of a tensor of any dtype.
template <>
struct element_reader<element_value> {
  explicit element_reader(const tensor& from) : data(from), read(function_for(from)) {}
  element_value operator()(std::uint64_t i) const { return read(data, i); }

  using function = element_value (*)(const tensor&, std::uint64_t);
  static function function_for(const tensor& of) {
    return of.visit([](const auto& elements) -> function {
      using type = typename std::remove_cvref_t<decltype(elements)>::value_type;
      return [](const tensor& from, std::uint64_t i) { return element_value(element_reader<type>(from)(i)); };
    });
  }
  const tensor& data;
  function read;
};

template <class T>
element_difference compare_each(const tensor& left, const tensor& right, const tolerance& within) {
  element_difference out{.elements = left.size()};
  const element_reader<T> left_at(left), right_at(right);
  core::c_order_iterator at_left(left.shape(), left.strides()), at_right(right.shape(), right.strides());
  for (std::uint64_t i = 0; i < out.elements; ++i, at_left.advance(), at_right.advance()) {
    const auto x = left_at(at_left.position()), y = right_at(at_right.position());
    const auto a = widen(x), b = widen(y);
    if (are_equal(a, b)) continue;
    if (is_finite(a) && is_finite(b)) {
      const double apart = distance(a, b), larger = std::max(magnitude(a), magnitude(b));
      if (apart <= within.absolute || apart <= within.relative * larger) continue;
      out.largest_absolute = std::max(out.largest_absolute, apart);
      out.largest_relative = std::max(out.largest_relative, apart / larger);
    } else {
      ++out.not_finite;
      if (is_finite(a)) ++out.only_left_finite;
    }
    if (out.differing++ != 0) continue;
    out.first.assign(at_left.coordinates().begin(), at_left.coordinates().end());
    out.left = x;
    out.right = y;
  }
  return out;
}

bool have_equal_bytes(const tensor& left, const tensor& right) {
  const auto a = left.bytes(), b = right.bytes();
  return left.dtype() == right.dtype() && std::ranges::equal(left.strides(), right.strides()) && a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

failure why_not_comparable(const tensor& left, const tensor& right, bool any_dtype) {
  const auto is_native = [](const tensor& of) {
    return of.byte_order() == native_byte_order || swap_unit(of.dtype()) <= 1;
  };
  if (!is_native(left) || !is_native(right)) return {.code = errc::foreign_byte_order};
  if (left.dtype() != right.dtype() && !any_dtype)
    return {.code = errc::dtype_mismatch,
            .expected = static_cast<std::uint64_t>(left.dtype()),
            .found = static_cast<std::uint64_t>(right.dtype())};
  if (!std::ranges::equal(left.shape(), right.shape())) return {.code = errc::invalid_option, .argument = "shape"};
  return {};
}

}  // namespace

std::optional<element_difference> compare(const tensor& left, const tensor& right, const tolerance& within,
                                          bool any_dtype, failure& why) {
  why = why_not_comparable(left, right, any_dtype);
  if (why || have_equal_bytes(left, right)) return std::nullopt;
  element_difference out = left.dtype() != right.dtype()
                               ? compare_each<element_value>(left, right, within)
                               : left.visit([&](const auto& elements) {
                                   using type = typename std::remove_cvref_t<decltype(elements)>::value_type;
                                   return compare_each<type>(left, right, within);
                                 });
  return out.differing == 0 ? std::nullopt : std::optional(std::move(out));
}

std::optional<element_difference> compare(const tensor& left, const tensor& right, const tolerance& within,
                                          bool any_dtype) {
  failure why;
  auto out = compare(left, right, within, any_dtype, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#include "edit/compare/element_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <tgmap/dtype.hpp>
#include <type_traits>

#include "convert/raw.hpp"

namespace tgmap::cli {

namespace {

// Integers are compared exactly, all other numbers as doubles.
double widen(float16 x) { return static_cast<float>(x); }
double widen(bfloat16 x) { return static_cast<float>(x); }
double widen(double x) { return x; }
std::complex<double> widen(std::complex<float> x) { return {x.real(), x.imag()}; }
std::complex<double> widen(std::complex<double> x) { return x; }
template <std::integral T>
auto widen(T x) {
  return static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(x);
}

template <std::integral T>
bool is_finite(T) {
  return true;
}
bool is_finite(double x) { return std::isfinite(x); }
bool is_finite(std::complex<double> x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }

template <std::integral T>
bool are_equal(T a, T b) {
  return a == b;
}
bool are_equal(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool are_equal(std::complex<double> a, std::complex<double> b) {
  return are_equal(a.real(), b.real()) && are_equal(a.imag(), b.imag());
}

template <std::integral T>
double distance(T a, T b) {
  const auto high = static_cast<std::uint64_t>(std::max(a, b)), low = static_cast<std::uint64_t>(std::min(a, b));
  return static_cast<double>(high - low);  // also correct if the distance exceeds the signed range
}
double distance(double a, double b) { return std::abs(a - b); }
double distance(std::complex<double> a, std::complex<double> b) { return std::abs(a - b); }

template <class T>
double magnitude(T x) {
  if constexpr (std::is_integral_v<T>)
    return std::abs(static_cast<double>(x));
  else
    return std::abs(x);
}

std::string text_of(float16 x) { return fmt::format("{}", static_cast<float>(x)); }
std::string text_of(bfloat16 x) { return fmt::format("{}", static_cast<float>(x)); }
template <class T>
std::string text_of(std::complex<T> x) {
  return fmt::format("{}{:+}j", x.real(), x.imag());
}
template <class T>
requires std::is_arithmetic_v<T> std::string text_of(T x) { return fmt::format("{}", +x); }

template <class T>
struct element_at {
  std::span<const std::byte> data;
  T operator()(std::uint64_t i) const {
    T out;
    std::memcpy(&out, data.data() + i * sizeof out, sizeof out);
    return out;
  }
};

struct bit_at {
  std::span<const std::byte> data;
  std::uint8_t operator()(std::uint64_t i) const {
    return std::to_integer<std::uint8_t>(data[static_cast<std::size_t>(i / 8)] >> (7 - i % 8) & std::byte{1});
  }
};

template <class Read>
value_difference compare_each(const tensor& left, const tensor& right, const tolerance& within) {
  value_difference out{.elements = left.size()};
  const Read left_at{left.bytes()}, right_at{right.bytes()};
  convert::c_order_iterator at_left(left), at_right(right);
  for (std::uint64_t i = 0; i < out.elements; ++i, at_left.advance(), at_right.advance()) {
    const auto x = left_at(at_left.position()), y = right_at(at_right.position());
    const auto a = widen(x), b = widen(y);
    if (are_equal(a, b)) continue;
    if (is_finite(a) && is_finite(b)) {
      const double apart = distance(a, b);
      if (apart <= within.absolute || apart <= within.relative * std::max(magnitude(a), magnitude(b))) continue;
      out.largest = std::max(out.largest, apart);
      out.largest_relative = std::max(out.largest_relative, apart / std::max(magnitude(a), magnitude(b)));
    } else {
      ++out.not_finite;
      if (is_finite(a)) ++out.overflowed;
    }
    if (out.differing++ != 0) continue;
    out.first.assign(at_left.coordinates().begin(), at_left.coordinates().end());
    out.left = text_of(x);
    out.right = text_of(y);
  }
  return out;
}

value_difference compare_as_dtype(const tensor& left, const tensor& right, const tolerance& within) {
  switch (left.dtype()) {
    case dtype::float16: return compare_each<element_at<float16>>(left, right, within);
    case dtype::bfloat16: return compare_each<element_at<bfloat16>>(left, right, within);
    case dtype::float32: return compare_each<element_at<float>>(left, right, within);
    case dtype::float64: return compare_each<element_at<double>>(left, right, within);
    case dtype::complex64: return compare_each<element_at<std::complex<float>>>(left, right, within);
    case dtype::complex128: return compare_each<element_at<std::complex<double>>>(left, right, within);
    case dtype::int8: return compare_each<element_at<std::int8_t>>(left, right, within);
    case dtype::int16: return compare_each<element_at<std::int16_t>>(left, right, within);
    case dtype::int32: return compare_each<element_at<std::int32_t>>(left, right, within);
    case dtype::int64: return compare_each<element_at<std::int64_t>>(left, right, within);
    case dtype::uint8: return compare_each<element_at<std::uint8_t>>(left, right, within);
    case dtype::uint16: return compare_each<element_at<std::uint16_t>>(left, right, within);
    case dtype::uint32: return compare_each<element_at<std::uint32_t>>(left, right, within);
    case dtype::uint64: return compare_each<element_at<std::uint64_t>>(left, right, within);
    case dtype::bitmask: break;
  }
  return compare_each<bit_at>(left, right, within);
}

}  // namespace

std::optional<value_difference> compare_values(const tensor& left, const tensor& right, const tolerance& within) {
  const auto a = left.bytes(), b = right.bytes();
  if (std::ranges::equal(left.strides(), right.strides()) && a.size() == b.size() &&
      (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0))
    return std::nullopt;
  value_difference out = compare_as_dtype(left, right, within);
  return out.differing == 0 ? std::nullopt : std::optional(std::move(out));
}

}  // namespace tgmap::cli

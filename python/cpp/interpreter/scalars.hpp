// SPDX-License-Identifier: Apache-2.0
// Numbers of callers: of Python, of NumPy, arrays without dimensions, Decimal and Fraction.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// Returns a number as bool, int or float of Python; all other values as they are. See _scalars.py.
nb::object to_scalar(nb::handle);

/// Returns numbers. Raise TypeError for other values, and ValueError for numbers that do not fit. `name`: of the
/// argument.
bool to_bool(nb::handle, const char* name);
double to_double(nb::handle, const char* name);
std::int64_t to_integer(nb::handle, const char* name, std::int64_t min, std::int64_t max);

/// An `argument` is a number of a caller. Functions take it where nanobind knows only int and bool of Python.
template <class Number>
struct argument {
  Number value{};

  argument() noexcept = default;
  argument(Number number) noexcept : value(number) {}  // NOLINT: a default value
  operator Number() const noexcept { return value; }   // NOLINT: used as the number
};

/// Returns the number that an argument has. Returns false, without an exception, for any other value. Here a bool is no
/// other number, which would be a mistake.
bool read_argument(nb::handle, bool& out) noexcept;
bool read_argument(nb::handle, std::int64_t min, std::uint64_t max, std::uint64_t& out) noexcept;

}  // namespace tgmap_python

namespace nanobind::detail {

template <class Number>
struct type_caster<tgmap_python::argument<Number>> {
  static constexpr bool is_bool = std::same_as<Number, bool>;
  NB_TYPE_CASTER(tgmap_python::argument<Number>, const_name<is_bool>("bool", "int"))

  bool from_python(handle from, std::uint8_t, cleanup_list*) noexcept {
    if constexpr (is_bool) {
      return tgmap_python::read_argument(from, value.value);
    } else {
      std::uint64_t bits = 0;
      if (!tgmap_python::read_argument(from, std::numeric_limits<Number>::min(), std::numeric_limits<Number>::max(),
                                       bits))
        return false;
      value.value = static_cast<Number>(bits);
      return true;
    }
  }

  static handle from_cpp(tgmap_python::argument<Number> number, rv_policy policy, cleanup_list* cleanup) noexcept {
    return make_caster<Number>::from_cpp(number.value, policy, cleanup);
  }
};

}  // namespace nanobind::detail

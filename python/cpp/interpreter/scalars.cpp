// SPDX-License-Identifier: Apache-2.0
#include "cpp/interpreter/scalars.hpp"

#include <string>

namespace tgmap_python {
namespace {

bool is_number_of_python(nb::handle value) {
  return PyLong_CheckExact(value.ptr()) || PyFloat_CheckExact(value.ptr()) || PyBool_Check(value.ptr());
}

/// Stores an integer with the bits of int64 or uint64. Returns false if it does not fit.
bool fits(nb::handle integer, std::int64_t min, std::uint64_t max, std::uint64_t& out) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (overflow < 0) return false;
  if (overflow == 0) {
    out = static_cast<std::uint64_t>(number);
    return number >= min && (number < 0 || out <= max);
  }
  out = PyLong_AsUnsignedLongLong(integer.ptr());
  if (PyErr_Occurred() == nullptr) return out <= max;
  PyErr_Clear();
  return false;
}

/// Returns an int, or null for values that are no integer.
nb::object integer_of(nb::handle value) {
  nb::object out = nb::steal(PyNumber_Index(to_scalar(value).ptr()));
  if (!out.is_valid()) PyErr_Clear();
  return out;
}

std::string text(const char* name, const char* problem) { return std::string(name) + problem; }

}  // namespace

nb::object to_scalar(nb::handle value) {
  if (is_number_of_python(value) || value.is_none() || PyUnicode_Check(value.ptr())) return nb::borrow(value);
  return call_python(from_package("tgmap._scalars", "scalar"), value);
}

bool to_bool(nb::handle value, const char* name) {
  const nb::object number = to_scalar(value);
  if (!is_number_of_python(number)) throw nb::type_error(text(name, " must be True or False").c_str());
  const int truth = PyObject_IsTrue(number.ptr());
  if (truth < 0) throw nb::python_error();
  return truth != 0;
}

double to_double(nb::handle value, const char* name) {
  const nb::object number = to_scalar(value);
  if (!is_number_of_python(number)) throw nb::type_error(text(name, " must be a number").c_str());
  const double out = PyFloat_AsDouble(number.ptr());
  if (out != -1 || PyErr_Occurred() == nullptr) return out;
  PyErr_Clear();  // an integer that no double holds
  throw nb::value_error(text(name, " is out of range").c_str());
}

std::int64_t to_integer(nb::handle value, const char* name, std::int64_t min, std::int64_t max) {
  const nb::object number = integer_of(value);
  if (!number.is_valid()) throw nb::type_error(text(name, " must be an integer").c_str());
  std::uint64_t out = 0;
  if (max < min || !fits(number, min, max < 0 ? 0 : static_cast<std::uint64_t>(max), out) ||
      static_cast<std::int64_t>(out) > max)
    throw nb::value_error(text(name, " is out of range").c_str());
  return static_cast<std::int64_t>(out);
}

bool read_argument(nb::handle value, bool& out) noexcept try {
  const nb::object truth = to_scalar(value);
  out = truth.ptr() == Py_True;
  return PyBool_Check(truth.ptr());
} catch (const std::exception&) {  // nb::python_error, too: the call then names the types that it takes
  return false;
}

bool read_argument(nb::handle value, std::int64_t min, std::uint64_t max, std::uint64_t& out) noexcept try {
  const nb::object number = integer_of(value);
  return number.is_valid() && fits(number, min, max, out);
} catch (const std::exception&) {
  return false;
}

}  // namespace tgmap_python

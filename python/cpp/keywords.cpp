// SPDX-License-Identifier: Apache-2.0
#include "keywords.hpp"

namespace tgmap_python {

nb::object keywords::take(const char* name) {
  PyObject* const found = PyDict_GetItemString(given_.ptr(), name);
  if (found == nullptr) return nb::none();
  nb::object out = nb::borrow(found);
  if (PyDict_DelItemString(given_.ptr(), name) < 0) throw nb::python_error();
  return out;
}

bool keywords::take(const char* name, bool& out) {
  const nb::object value = take(name);
  if (value.is_none()) return false;
  const int truth = PyObject_IsTrue(value.ptr());
  if (truth < 0) throw nb::python_error();
  out = truth != 0;
  return true;
}

bool keywords::take(const char* name, double& out) {
  const nb::object value = take(name);
  if (value.is_none()) return false;
  out = PyFloat_AsDouble(value.ptr());
  if (out == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw nb::type_error((std::string(name) + " must be a number").c_str());
  }
  return true;
}

bool keywords::take(const char* name, std::string& out) {
  const nb::object value = take(name);
  if (value.is_none()) return false;
  out = to_text(value, name);
  return true;
}

bool keywords::take_integer(const char* name, std::int64_t min, std::int64_t max, std::int64_t& out) {
  const nb::object value = take(name);
  if (value.is_none()) return false;
  const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number) {
    PyErr_Clear();
    throw nb::type_error((std::string(name) + " must be an integer").c_str());
  }
  int overflow = 0;
  out = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || out < min || out > max) throw nb::value_error((std::string(name) + " is out of range").c_str());
  return true;
}

std::string keywords::first() const {
  for (const auto& [name, value] : given_)
    if (!value.is_none()) return nb::cast<std::string>(name);
  return {};
}

std::string to_text(nb::handle value, const char* name) {
  if (!PyUnicode_Check(value.ptr())) throw nb::type_error((std::string(name) + " must be text").c_str());
  return nb::cast<std::string>(value);
}

}  // namespace tgmap_python

// SPDX-License-Identifier: Apache-2.0
#include "cpp/arguments/keywords.hpp"

#include "cpp/interpreter/scalars.hpp"

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
  out = to_bool(value, name);
  return true;
}

bool keywords::take(const char* name, double& out) {
  const nb::object value = take(name);
  if (value.is_none()) return false;
  out = to_double(value, name);
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
  out = to_integer(value, name, min, max);
  return true;
}

std::string keywords::first() const {
  for (const auto& [name, value] : given_)
    if (!value.is_none()) return shown(name);
  return {};
}

std::string to_text(nb::handle value, const char* name) {
  if (!PyUnicode_Check(value.ptr())) throw nb::type_error((std::string(name) + " must be text").c_str());
  return utf8_to_write(value, name);
}

}  // namespace tgmap_python

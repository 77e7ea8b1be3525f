// SPDX-License-Identifier: Apache-2.0
#include "cpp/interpreter/text.hpp"

#include "core/text/escape.hpp"

namespace tgmap_python {
namespace {

/// Encodes a str. `errors`: what happens to lone surrogates, as `str.encode` has it.
std::string encode(nb::handle text, const char* errors) {
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", errors));
  if (!bytes.is_valid()) throw nb::python_error();
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

}  // namespace

std::optional<std::string> utf8_of(nb::handle text) {
  Py_ssize_t size = 0;
  if (const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &size))
    return std::string(data, static_cast<std::size_t>(size));
  if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw nb::python_error();
  PyErr_Clear();
  return std::nullopt;
}

std::string name_to_find(nb::handle text, const char* argument) {
  if (!PyUnicode_Check(text.ptr())) throw nb::type_error((std::string(argument) + " must be text").c_str());
  auto out = utf8_of(text);
  return out ? std::move(*out) : encode(text, "surrogatepass");
}

nb::str found_name(std::string_view name) {
  PyObject* const out = PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogatepass");
  if (out == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(out);
}

std::string utf8_to_write(nb::handle text, const std::string& where) {
  auto out = utf8_of(text);
  if (!out)
    throw nb::value_error((where + " cannot be stored: it has a lone surrogate, which is not text in UTF-8").c_str());
  return std::move(*out);
}

std::string shown(std::string_view text) { return tgmap::core::escaped(text); }

nb::str shown_text(std::string_view text) { return nb::borrow<nb::str>(text_of(shown(text))); }

std::string shown(nb::handle text) {
  const auto utf8 = utf8_of(text);
  return utf8 ? shown(*utf8) : encode(text, "backslashreplace");
}

void register_text(nb::module_& m) {
  m.def(
      "_shown", [](nb::str text) { return shown_text(shown(text)); }, "text"_a,
      "Return text of a file for people: escaped as the command does it.");
}

}  // namespace tgmap_python

// SPDX-License-Identifier: Apache-2.0
#include <tgmap/metadata.hpp>

#include "cbor.hpp"
#include "handles.hpp"

namespace tgmap_python {
namespace {

nb::object get(const py_metadata& m, std::string_view key, const nb::object& otherwise) {
  const auto found = m.keys.find(key);
  return found ? to_python(*found) : otherwise;
}

nb::object at(const py_metadata& m, nb::str key) {
  if (const auto found = m.keys.find(std::string_view(key.c_str()))) return to_python(*found);
  PyErr_SetObject(PyExc_KeyError, key.ptr());
  throw nb::python_error();
}

}  // namespace

void register_metadata(nb::module_& m) {
  nb::class_<py_metadata>(m, "Metadata",
                          "Keys and values, as a read-only mapping. A key may be a path: metadata['mars.levelist[0]'].")
      .def("__getitem__", at, "key"_a)
      .def("get", get, "key"_a, "default"_a = nb::none())
      .def("__contains__",
           [](const py_metadata& self, nb::handle key) {
             return PyUnicode_Check(key.ptr()) && self.keys.find(nb::cast<std::string>(key)).has_value();
           })
      .def("__len__", [](const py_metadata& self) { return self.keys.entries().size(); })
      .def("__bool__", [](const py_metadata& self) { return !self.keys.entries().empty(); })
      .def("__iter__", [](const py_metadata& self) { return nb::iter(to_dict(self.keys)); })
      .def("keys", [](const py_metadata& self) { return to_dict(self.keys).attr("keys")(); })
      .def("values", [](const py_metadata& self) { return to_dict(self.keys).attr("values")(); })
      .def("items", [](const py_metadata& self) { return to_dict(self.keys).attr("items")(); })
      .def(
          "to_dict", [](const py_metadata& self) { return to_dict(self.keys); }, "Return all keys as a dict.")
      .def("__eq__",
           [](const py_metadata& self, nb::handle other) -> nb::object {
             py_metadata* that = nullptr;
             if (nb::try_cast(other, that)) return nb::bool_(to_dict(self.keys).equal(to_dict(that->keys)));
             return nb::bool_(to_dict(self.keys).equal(other));
           })
      .def("__reduce__",
           [](const py_metadata& self) {
             return nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(&PyDict_Type)),
                                   nb::make_tuple(to_dict(self.keys)));
           })
      .def("__repr__", [](const py_metadata& self) {
        return "Metadata(" + nb::cast<std::string>(nb::repr(to_dict(self.keys))) + ")";
      });
}

}  // namespace tgmap_python

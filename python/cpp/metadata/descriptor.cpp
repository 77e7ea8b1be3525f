// SPDX-License-Identifier: Apache-2.0
#include <tgmap/descriptor.hpp>

#include <set>

#include "cpp/arrays/numpy.hpp"
#include "cpp/handles/handles.hpp"
#include "cpp/interpreter/text.hpp"
#include "cpp/metadata/cbor.hpp"

namespace tgmap_python {
namespace {

nb::str text(std::string_view bytes) { return nb::borrow<nb::str>(text_of(bytes)); }

/// Returns all entries of the descriptor as stored.
nb::dict entries(const py_descriptor& d) { return nb::borrow<nb::dict>(to_python(d.parsed->entries)); }

/// Returns the entries that describe stages, and whatever else is not an attribute.
nb::dict params(const py_descriptor& d) {
  static const std::set<std::string_view> attributes{"type",     "ndim",   "shape",       "strides", "dtype",
                                                     "encoding", "filter", "compression", "masks",   "byte_order"};
  nb::dict out;
  for (auto [key, value] : entries(d)) {
    const auto name = PyUnicode_Check(key.ptr()) ? utf8_of(key) : std::nullopt;
    const bool is_attribute = name && attributes.contains(*name);
    if (!is_attribute) out[key] = value;
  }
  return out;
}

}  // namespace

void register_descriptor(nb::module_& m) {
  nb::class_<py_descriptor>(m, "Descriptor", "The description of a tensor, as it is stored.")
      .def_prop_ro("type", [](const py_descriptor& self) { return to_python(self.parsed->type); })
      .def_prop_ro(
          "dtype", [](const py_descriptor& self) { return tgmap::to_string_view(self.parsed->dtype); },
          "Name of the dtype in the format, such as 'float32' or 'bitmask'.")
      .def_prop_ro("shape", [](const py_descriptor& self) { return to_tuple(self.parsed->shape()); })
      .def_prop_ro(
          "strides", [](const py_descriptor& self) { return to_tuple(self.parsed->strides()); },
          "Strides in elements, as stated.")
      .def_prop_ro("ndim", [](const py_descriptor& self) { return self.parsed->ndim; })
      .def_prop_ro("byte_order",
                   [](const py_descriptor& self) { return tgmap::to_string_view(self.parsed->byte_order); })
      .def_prop_ro("encoding", [](const py_descriptor& self) { return text(self.parsed->encoding_name.view()); })
      .def_prop_ro("filter", [](const py_descriptor& self) { return text(self.parsed->filter_name.view()); })
      .def_prop_ro("compression", [](const py_descriptor& self) { return text(self.parsed->compression_name.view()); })
      .def_prop_ro(
          "is_plain", [](const py_descriptor& self) { return self.parsed->is_plain(); },
          "Whether the payload holds the elements themselves.")
      .def_prop_ro("params", params, "Parameters of the stages, and further keys.")
      .def("to_dict", entries, "Return all entries as stored.")
      .def("__getitem__",
           [](const py_descriptor& self, nb::handle key) {
             const auto name = PyUnicode_Check(key.ptr()) ? utf8_of(key) : std::nullopt;
             const auto found = name ? self.parsed->entries.find(*name) : std::nullopt;
             if (found) return to_python(*found);
             PyErr_SetObject(PyExc_KeyError, key.ptr());
             throw nb::python_error();
           })
      .def("__repr__",
           [](nb::handle self) { return call_python(from_package("tgmap._printing.repr", "descriptor"), self); });
}

}  // namespace tgmap_python

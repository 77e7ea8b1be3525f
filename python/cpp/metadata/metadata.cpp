// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tgmap/metadata.hpp>

#include "core/text/utf8.hpp"
#include "cpp/handles/handles.hpp"
#include "cpp/interpreter/text.hpp"
#include "cpp/metadata/cbor.hpp"

namespace tgmap_python {
namespace {

constexpr std::string_view replacement_character = "\xef\xbf\xbd";

/// Finds a key that is ill-formed UTF-8, which Python has with U+FFFD in place of the wrong bytes.
std::optional<tgmap::cbor_view> find_ill_formed(const tgmap::metadata& keys, nb::handle key) {
  std::optional<tgmap::cbor_view> out;
  for (const auto& [name, value] : keys.entries())
    if (text_of(name).equal(key)) out = value;
  return out;
}

constexpr std::size_t max_walked = 16;  // keys

/// Returns all keys as a dict. If they are many, also lists them: a program that iterates over them then asks for each,
/// which would read all of them each time.
nb::dict list_keys(py_metadata& m) {
  nb::dict out = to_dict(m.keys());
  if (m.listed || out.size() <= max_walked) return out;
  auto all = std::make_shared<std::map<std::string, tgmap::cbor_view>>();
  for (const auto& [name, value] : m.keys().entries()) (*all)[*utf8_of(text_of(name))] = value;
  m.listed = std::move(all);
  return out;
}

/// Returns the value of the key of exactly this name; without it, the value at a path.
std::optional<tgmap::cbor_view> find(py_metadata& m, nb::handle key) {
  if (!PyUnicode_Check(key.ptr())) return std::nullopt;
  const auto name = utf8_of(key);
  if (!name) return std::nullopt;
  if (m.listed)
    if (const auto known = m.listed->find(*name); known != m.listed->end()) return known->second;
  const bool may_be_path = name->find_first_of(".[") != std::string::npos;
  auto out = may_be_path ? m.keys().find_key(*name) : std::nullopt;
  if (!out) out = m.copy.find(*name);
  if (!out && !m.listed && name->find(replacement_character) != std::string::npos) out = find_ill_formed(m.keys(), key);
  return out;
}

nb::object get(py_metadata& m, nb::handle key, const nb::object& otherwise) {
  const auto found = find(m, key);
  return found ? to_python(*found) : otherwise;
}

nb::object at(py_metadata& m, nb::handle key) {
  if (const auto found = find(m, key)) return to_python(*found);
  PyErr_SetObject(PyExc_KeyError, key.ptr());
  throw nb::python_error();
}

/// Returns the number of keys that iteration shows. Ill-formed keys may become one str.
std::size_t size_of(const py_metadata& m) {
  const auto entries = m.keys().entries();
  const auto is_ill_formed = [](const tgmap::metadata::entry& entry) { return !tgmap::core::is_utf8(entry.key); };
  return std::any_of(entries.begin(), entries.end(), is_ill_formed) ? to_dict(m.keys()).size() : entries.size();
}

}  // namespace

void register_metadata(nb::module_& m) {
  nb::class_<py_metadata>(m, "Metadata",
                          "Keys and values, as a read-only mapping. What is no key may be a path: "
                          "metadata['mars.levelist[0]'].")
      .def("__getitem__", at, "key"_a.none())
      .def("get", get, "key"_a.none(), "default"_a = nb::none())
      .def(
          "__contains__", [](py_metadata& self, nb::handle key) { return find(self, key).has_value(); }, "key"_a.none())
      .def("__len__", size_of)
      .def("__bool__", [](const py_metadata& self) { return !self.keys().entries().empty(); })
      .def("__iter__", [](py_metadata& self) { return nb::iter(list_keys(self)); })
      .def("keys", [](py_metadata& self) { return list_keys(self).attr("keys")(); })
      .def("values", [](const py_metadata& self) { return to_dict(self.keys()).attr("values")(); })
      .def("items", [](const py_metadata& self) { return to_dict(self.keys()).attr("items")(); })
      .def(
          "to_dict", [](const py_metadata& self) { return to_dict(self.keys()); }, "Return all keys as a dict.")
      .def("__eq__",
           [](const py_metadata& self, nb::handle other) -> nb::object {
             py_metadata* that = nullptr;
             if (nb::try_cast(other, that)) return nb::bool_(to_dict(self.keys()).equal(to_dict(that->keys())));
             return nb::bool_(to_dict(self.keys()).equal(other));
           })
      .def("__reduce__",
           [](const py_metadata& self) {
             return nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(&PyDict_Type)),
                                   nb::make_tuple(to_dict(self.keys())));
           })
      .def("__repr__", [](const py_metadata& self) {
        return call_python(from_package("tgmap._printing.repr", "metadata"), to_dict(self.keys()));
      });
}

}  // namespace tgmap_python

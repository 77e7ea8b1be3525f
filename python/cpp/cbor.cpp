// SPDX-License-Identifier: Apache-2.0
#include "cbor.hpp"

#include <vector>

#include "key_names.hpp"
#include "numpy.hpp"

namespace tgmap_python {
namespace {

using tgmap::cbor_kind;
using tgmap::cbor_view;

constexpr int max_depth = 1000;

/// Returns an object that was just made, or raises the error that Python has set.
nb::object made(PyObject* object) {
  if (object == nullptr) throw nb::python_error();
  return nb::steal(object);
}

nb::object text_of_item(const cbor_view& item) {
  if (const auto text = item.get<std::string_view>()) return text_of(*text);
  return text_of(item.get<std::string>().value_or(std::string()));  // stored in pieces
}

key_names& names() {
  static key_names& all = *new key_names;  // never destroyed: Python ends before static objects do
  return all;
}

nb::object bytes_of_item(const cbor_view& item) {
  const auto whole = item.get<std::span<const std::byte>>();
  if (whole)
    return made(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(whole->data()),
                                          static_cast<Py_ssize_t>(whole->size())));
  const std::string joined = item.text();  // stored in pieces
  return made(PyBytes_FromStringAndSize(joined.data(), static_cast<Py_ssize_t>(joined.size())));
}

/// Returns -1 - n, or n, for the n of a tag for integers of any size.
nb::object large_integer(const cbor_view& inside, bool is_negative) {
  const nb::object number =
      nb::handle(reinterpret_cast<PyObject*>(&PyLong_Type)).attr("from_bytes")(bytes_of_item(inside), "big");
  return is_negative ? nb::object(nb::int_(-1) - number) : number;
}

nb::object integer_of(const cbor_view& item) {
  if (const auto number = item.get<std::int64_t>()) return made(PyLong_FromLongLong(*number));
  if (const auto number = item.get<std::uint64_t>()) return made(PyLong_FromUnsignedLongLong(*number));
  // Below -2^63: the first byte says how many follow, and they hold -1 - the number.
  const auto stored = item.bytes();
  std::uint64_t n = 0;
  for (std::size_t i = 1; i < stored.size(); ++i) n = n << 8 | std::to_integer<std::uint64_t>(stored[i]);
  return nb::int_(-1) - nb::int_(n);
}

void set(const nb::dict& map, const nb::object& key, const nb::object& value) {
  if (PyDict_SetItem(map.ptr(), key.ptr(), value.ptr()) < 0) throw nb::python_error();
}

nb::object convert(const cbor_view& item, int depth);

nb::object key_of(const cbor_view& item, int depth) {
  if (const auto text = item.get<std::string_view>()) return names().of(*text);
  const nb::object key = convert(item, depth);
  const bool is_hashable = item.kind() != cbor_kind::array && item.kind() != cbor_kind::map;
  return is_hashable ? key : nb::object(nb::repr(key));
}

nb::object convert(const cbor_view& item, int depth) {
  if (depth > max_depth) {
    PyErr_SetString(PyExc_RecursionError, "metadata is nested too deeply");
    throw nb::python_error();
  }
  switch (item.kind()) {
    case cbor_kind::null: return nb::none();
    case cbor_kind::boolean: return nb::bool_(item.get<bool>().value_or(false));
    case cbor_kind::integer: return integer_of(item);
    case cbor_kind::floating: return made(PyFloat_FromDouble(item.get<double>().value_or(0)));
    case cbor_kind::text: return text_of_item(item);
    case cbor_kind::bytes: return bytes_of_item(item);
    case cbor_kind::tag: {
      const auto number = item.tag();
      const cbor_view inside = item.untagged();
      if (number && (*number == 2 || *number == 3) && inside.kind() == cbor_kind::bytes)
        return large_integer(inside, *number == 3);
      return convert(inside, depth + 1);
    }
    case cbor_kind::array: {
      nb::list out;
      item.visit([&](std::uint64_t, const cbor_view& element) {
        out.append(convert(element, depth + 1));
        return true;
      });
      return out;
    }
    case cbor_kind::map: {
      nb::dict out;
      item.visit([&](const cbor_view& key, const cbor_view& value) {
        set(out, key_of(key, depth + 1), convert(value, depth + 1));
        return true;
      });
      return out;
    }
  }
  return nb::none();
}

[[noreturn]] void raise_unsupported(nb::handle value, const std::string& where) {
  const std::string type = nb::cast<std::string>(value.type().attr("__name__"));
  const bool is_date = nb::hasattr(value, "isoformat"), is_numpy_date = type == "datetime64" || type == "timedelta64";
  throw nb::type_error(("cannot store " + where + " of type " + type + " as metadata" +
                        (is_date                        ? "; store value.isoformat()"
                         : is_numpy_date                ? "; store str(value)"
                         : nb::hasattr(value, "tolist") ? "; store value.tolist()"
                                                        : ""))
                           .c_str());
}

tgmap::cbor_value integer_to_cbor(nb::handle value, const std::string& where) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (number == -1 && PyErr_Occurred()) throw nb::python_error();
  if (overflow == 0) return tgmap::cbor_value(number);
  // CBOR has integers from -2^64 to 2^64 - 1.
  const nb::object n = overflow < 0 ? nb::object(nb::int_(-1) - nb::borrow(value)) : nb::borrow(value);
  const unsigned long long magnitude = PyLong_AsUnsignedLongLong(n.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    PyErr_SetString(PyExc_OverflowError, (where + " is an integer of more than 64 bits; store it as text").c_str());
    throw nb::python_error();
  }
  return overflow < 0 ? tgmap::cbor_value::negative(magnitude) : tgmap::cbor_value(magnitude);
}

std::string_view utf8_of(nb::handle text, nb::object& keeps) {
  // The view of the text itself is not in the stable interface of Python 3.10 for all kinds of text.
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  keeps = nb::borrow(text);
  return {data, static_cast<std::size_t>(size)};
}

tgmap::cbor_value convert_to_cbor(nb::handle value, const std::string& where, int depth);

tgmap::cbor_value map_to_cbor(nb::handle mapping, const std::string& where, int depth) {
  std::vector<tgmap::cbor_value::pair> pairs;
  std::vector<nb::object> names;
  for (nb::handle key : nb::borrow<nb::object>(mapping)) {
    if (!PyUnicode_Check(key.ptr()))
      throw nb::type_error(
          ("keys of " + where + " must be text, not " + nb::cast<std::string>(key.type().attr("__name__"))).c_str());
    names.emplace_back();
    const std::string_view name = utf8_of(key, names.back());
    pairs.emplace_back(name, convert_to_cbor(nb::borrow(mapping)[key], where + "." + std::string(name), depth + 1));
  }
  return tgmap::cbor_value::map(pairs);
}

tgmap::cbor_value convert_to_cbor(nb::handle value, const std::string& where, int depth) {
  if (depth > max_depth) {
    PyErr_SetString(PyExc_RecursionError, (where + " is nested too deeply").c_str());
    throw nb::python_error();
  }
  PyObject* const object = value.ptr();
  if (value.is_none()) return {};
  if (PyBool_Check(object)) return tgmap::cbor_value(object == Py_True);
  if (PyLong_Check(object)) return integer_to_cbor(value, where);
  if (PyFloat_Check(object)) return tgmap::cbor_value(PyFloat_AsDouble(object));
  if (PyUnicode_Check(object)) {
    nb::object keeps;
    return tgmap::cbor_value(utf8_of(value, keeps));
  }
  if (PyBytes_Check(object))
    return tgmap::cbor_value::bytes(
        std::as_bytes(std::span(PyBytes_AsString(object), static_cast<std::size_t>(PyBytes_Size(object)))));
  if (PyList_Check(object) || PyTuple_Check(object)) {
    std::vector<tgmap::cbor_value> items;
    std::size_t i = 0;
    for (nb::handle element : nb::borrow<nb::object>(value))
      items.push_back(convert_to_cbor(element, where + "[" + std::to_string(i++) + "]", depth + 1));
    return tgmap::cbor_value::array(items);
  }
  if (PyDict_Check(object) || nb::isinstance(value, from_package("collections.abc", "Mapping")))
    return map_to_cbor(value, where, depth);
  // Scalars of NumPy know the number of Python that they are.
  if (nb::isinstance(value, from_package("numpy", "generic"))) {
    const nb::object number = value.attr("item")();
    if (PyBool_Check(number.ptr()) || PyLong_Check(number.ptr()) || PyFloat_Check(number.ptr()) ||
        PyUnicode_Check(number.ptr()) || PyBytes_Check(number.ptr()))
      return convert_to_cbor(number, where, depth + 1);
  }
  raise_unsupported(value, where);
}

}  // namespace

nb::object to_python(const cbor_view& item) { return convert(item, 0); }

nb::dict to_dict(const tgmap::metadata& keys) {
  nb::dict out;
  for (const auto& [name, value] : keys.entries()) set(out, names().of(name), convert(value, 1));
  return out;
}

tgmap::cbor_value to_cbor(nb::handle value, const std::string& where) { return convert_to_cbor(value, where, 0); }

tgmap::cbor_value to_cbor_map(nb::handle mapping, const std::string& where) {
  if (mapping.is_none()) return tgmap::cbor_value::map();
  tgmap::cbor_value out = to_cbor(mapping, where);
  if (!out.is_map()) throw nb::type_error((where + " must be a mapping").c_str());
  return out;
}

}  // namespace tgmap_python

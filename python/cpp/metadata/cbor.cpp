// SPDX-License-Identifier: Apache-2.0
#include "cpp/metadata/cbor.hpp"

#include <deque>
#include <vector>

#include "core/text/hex.hpp"
#include "cpp/arrays/numpy.hpp"
#include "cpp/handles/handles.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/scalars.hpp"
#include "cpp/interpreter/text.hpp"
#include "cpp/metadata/key_names.hpp"

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

bool is_large_integer(const cbor_view& item) {
  const auto number = item.tag();
  return number && (*number == 2 || *number == 3) && item.untagged().kind() == cbor_kind::bytes;
}

/// Returns -1 - n, or n, for the n of a tag for integers of any size.
nb::object large_integer(const cbor_view& inside, bool is_negative) {
  const nb::object number =
      nb::handle(reinterpret_cast<PyObject*>(&PyLong_Type)).attr("from_bytes")(bytes_of_item(inside), "big");
  return is_negative ? nb::object(nb::int_(-1) - number) : number;
}

constexpr int max_key_bits = 64;  // few of these integers have one hash, of any number of larger ones all can

/// Returns a large integer of a key: as int up to 64 bits, else as hexadecimal text. Python hashes integers by their
/// rest modulo 2^61 - 1, so that keys can be chosen to be slow, and prints few digits in decimal.
nb::object large_integer_of_key(const cbor_view& inside, bool is_negative) {
  const nb::object number = large_integer(inside, is_negative);
  if (nb::cast<std::size_t>(number.attr("bit_length")()) <= max_key_bits) return number;
  return nb::steal(PyNumber_ToBase(number.ptr(), 16));
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

/// Where an item is. Within a key, keys and large integers become text that is no longer than their bytes ask for.
enum class place : bool { value, key };

nb::object convert(const cbor_view& item, int depth, place where = place::value);

bool is_container(const cbor_view& item) { return item.kind() == cbor_kind::array || item.kind() == cbor_kind::map; }

nb::object hexadecimal(std::span<const std::byte> bytes) {
  std::string out = "0x";
  for (const std::byte each : bytes) {
    const auto digits = tgmap::core::hex_digits(std::to_integer<std::uint8_t>(each));
    out.append(digits.data(), digits.size());
  }
  return text_of(out);
}

/// Returns a key. A list or a map, which Python does not hash, becomes its text; in another key it becomes its encoded
/// bytes, since text in text would double with each level.
nb::object key_of(const cbor_view& item, int depth, place where) {
  if (const auto text = item.get<std::string_view>()) return names().of(*text);
  cbor_view inside = item;
  while (inside.kind() == cbor_kind::tag && !is_large_integer(inside)) inside = inside.untagged();
  if (!is_container(inside)) return convert(inside, depth, place::key);
  if (where == place::key) return hexadecimal(inside.bytes());
  return nb::repr(convert(inside, depth, place::key));
}

nb::object convert(const cbor_view& item, int depth, place where) {
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
      const cbor_view inside = item.untagged();
      if (!is_large_integer(item)) return convert(inside, depth + 1, where);
      const bool is_negative = *item.tag() == 3;
      return where == place::key ? large_integer_of_key(inside, is_negative) : large_integer(inside, is_negative);
    }
    case cbor_kind::array: {
      nb::list out;
      item.visit([&](std::uint64_t, const cbor_view& element) {
        out.append(convert(element, depth + 1, where));
        return true;
      });
      return out;
    }
    case cbor_kind::map: {
      nb::dict out;
      item.visit([&](const cbor_view& key, const cbor_view& value) {
        set(out, key_of(key, depth + 1, where), convert(value, depth + 1, where));
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
    raise_out_of_range(where + " is an integer of more than 64 bits; store it as text");
  }
  return overflow < 0 ? tgmap::cbor_value::negative(magnitude) : tgmap::cbor_value(magnitude);
}

tgmap::cbor_value convert_to_cbor(nb::handle value, const std::string& where, int depth);

tgmap::cbor_value map_to_cbor(nb::handle mapping, const std::string& where, int depth) {
  std::vector<tgmap::cbor_value::pair> pairs;
  std::deque<std::string> names;  // do not move: pairs refer to them
  for (nb::handle key : nb::borrow<nb::object>(mapping)) {
    if (!PyUnicode_Check(key.ptr()))
      throw nb::type_error(
          ("keys of " + where + " must be text, not " + nb::cast<std::string>(key.type().attr("__name__"))).c_str());
    const std::string& name = names.emplace_back(utf8_to_write(key, "the key '" + shown(key) + "' of " + where));
    pairs.emplace_back(name, convert_to_cbor(nb::borrow(mapping)[key], where + "." + shown(name), depth + 1));
  }
  return tgmap::cbor_value::map(pairs);
}

tgmap::cbor_value convert_to_cbor(nb::handle value, const std::string& where, int depth) {
  if (depth > max_depth) throw nb::value_error("metadata has more than 1,000 levels, or contains itself");
  PyObject* const object = value.ptr();
  if (value.is_none()) return {};
  if (PyBool_Check(object)) return tgmap::cbor_value(object == Py_True);
  if (PyLong_Check(object)) return integer_to_cbor(value, where);
  if (PyFloat_Check(object)) return tgmap::cbor_value(PyFloat_AsDouble(object));
  if (PyUnicode_Check(object)) return tgmap::cbor_value(utf8_to_write(value, where));
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
  // Found one by one, keys would be read as often as there are keys.
  if (py_metadata* copied = nullptr; nb::try_cast(value, copied) && copied != nullptr)
    return map_to_cbor(to_dict(copied->keys()), where, depth);
  if (PyDict_Check(object) || nb::isinstance(value, from_package("collections.abc", "Mapping")))
    return map_to_cbor(value, where, depth);
  const nb::object number = to_scalar(value);
  if (number.is(value)) raise_unsupported(value, where);
  return convert_to_cbor(number, where, depth + 1);
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

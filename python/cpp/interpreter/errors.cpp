// SPDX-License-Identifier: Apache-2.0
#include "cpp/interpreter/errors.hpp"

#include <cerrno>
#include <climits>
#include <cstring>

#include "cpp/interpreter/text.hpp"

namespace tgmap_python {
namespace {

nb::object number_or_none(tgmap::optional_index number) {
  return number ? nb::object(nb::int_(*number)) : nb::object(nb::none());
}

/// Raises OSError(number, text, path), of which Python makes the subclass of the number.
[[noreturn]] void raise_os_error(int number, const std::string& path) {
  nb::object file = path.empty() ? nb::object(nb::none()) : path_object(path);
  nb::object raised = nb::handle(PyExc_OSError)(number, std::strerror(number), file);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised.ptr())), raised.ptr());
  throw nb::python_error();
}

}  // namespace

std::string to_path(nb::handle path) {
  const nb::object encoded =
      PyUnicode_Check(path.ptr()) ? nb::steal(PyUnicode_EncodeFSDefault(path.ptr())) : nb::borrow(path);
  if (!encoded.is_valid()) throw nb::python_error();
  if (!PyBytes_Check(encoded.ptr())) throw nb::type_error("a path must be text or bytes");
  std::string out(PyBytes_AsString(encoded.ptr()), static_cast<std::size_t>(PyBytes_Size(encoded.ptr())));
  if (out.find('\0') != std::string::npos) throw nb::value_error("a path has no byte 0");
  return out;
}

int to_descriptor(nb::handle integer) {
  int overflow = 0;
  const long out = PyLong_AsLongAndOverflow(integer.ptr(), &overflow);
  if (out == -1 && overflow == 0 && PyErr_Occurred() != nullptr) throw nb::python_error();
  if (overflow != 0 || out < 0 || out > INT_MAX)
    throw nb::value_error("a file descriptor is an int from 0 to 2**31 - 1");
  return static_cast<int>(out);
}

void raise(const tgmap::failure& why, const std::string& path) {
  if (why.code.category() == std::system_category()) raise_os_error(why.code.value(), path);
  const bool is_own = why.code.category() == tgmap::category();
  const auto code = is_own ? static_cast<tgmap::errc>(why.code.value()) : tgmap::errc{};
  std::string text = (path.empty() ? "" : "'" + shown(path) + "': ") + shown(why.text());
  if (code == tgmap::errc::decoded_limit)
    text += "; if you trust the file, open it with max_decoded=" + std::to_string(why.found);
  switch (code) {
    case tgmap::errc::out_of_range: throw nb::index_error(text.c_str());
    case tgmap::errc::out_of_memory: PyErr_SetString(PyExc_MemoryError, text.c_str()); throw nb::python_error();
    case tgmap::errc::is_directory: raise_os_error(EISDIR, path);
    case tgmap::errc::invalid_option: throw nb::value_error(text.c_str());
    default: break;
  }
  const std::string_view name = tgmap::to_string_view(code);
  const nb::object type =
      from_package("tgmap._errors", code == tgmap::errc::archive_changed ? "ChangedFileError" : "Error");
  const nb::object raised = type(nb::str(text.c_str(), text.size()));
  raised.attr("code") = nb::str(name.data(), name.size());
  raised.attr("offset") = why.offset;
  raised.attr("expected") = why.expected;
  raised.attr("found") = why.found;
  raised.attr("message") = number_or_none(why.message);
  raised.attr("object") = number_or_none(why.object);
  PyErr_SetObject(type.ptr(), raised.ptr());
  throw nb::python_error();
}

void raise_out_of_range(const std::string& text) {
  PyErr_SetString(from_package("tgmap._errors", "OutOfRangeError").ptr(), text.c_str());
  throw nb::python_error();
}

void register_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const tgmap::error& why) {
      try {
        raise(why.details());
      } catch (nb::python_error& raised) {
        raised.restore();
      } catch (const nb::builtin_exception& raised) {
        PyErr_SetString(raised.type() == nb::exception_type::index_error ? PyExc_IndexError : PyExc_ValueError,
                        raised.what());
      }
    }
  });
}

}  // namespace tgmap_python

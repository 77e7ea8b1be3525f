// SPDX-License-Identifier: Apache-2.0
// nanobind, and small helpers that every class needs.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <unistd.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tgmap_python {

namespace nb = nanobind;
using namespace nb::literals;  // NOLINT: "name"_a

/// Makes a call that takes the lock of the interpreter. When the interpreter ends, Python before 3.14 ends a thread
/// that waits for the lock, and that nobody waits for, by unwinding its stack. Destructors and nanobind are in the way
/// of that, so the thread stops here instead, until the process ends.
template <class Call>
auto take_lock(Call&& call) noexcept {
  try {
    return std::forward<Call>(call)();
  } catch (...) {
    for (;;) ::pause();
  }
}

/// Calls a function of Python, which may run code of Python and so wait for the lock. Nothing that the interpreter
/// could unwind is between this and the call.
template <class... Handles>
nb::object call_python(nb::handle function, Handles... arguments) {
  PyObject* const out =
      take_lock([&] { return PyObject_CallFunctionObjArgs(function.ptr(), arguments.ptr()..., nullptr); });
  if (out == nullptr) throw nb::python_error();
  return nb::steal(out);
}

/// A `lock_release` gives up the lock of the interpreter, which the thread has, as long as it lives.
class lock_release {
 public:
  lock_release() noexcept : state_(PyEval_SaveThread()) {}
  ~lock_release() {
    take_lock([this] { PyEval_RestoreThread(state_); });
  }
  lock_release(const lock_release&) = delete;
  lock_release& operator=(const lock_release&) = delete;

 private:
  PyThreadState* state_;
};

/// A `lock_hold` takes the lock of the interpreter, on any thread, as long as it lives.
class lock_hold {
 public:
  lock_hold() noexcept : state_(take_lock([] { return PyGILState_Ensure(); })) {}
  ~lock_hold() { PyGILState_Release(state_); }
  lock_hold(const lock_hold&) = delete;
  lock_hold& operator=(const lock_hold&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Runs work without the lock of the interpreter, so that other threads run meanwhile. Work of a few microseconds keeps
/// it: a thread that gives the lock up may wait milliseconds for its next turn.
template <class Work>
auto without_lock(bool is_long, Work&& work) {
  std::optional<lock_release> released;
  if (is_long) released.emplace();
  return std::forward<Work>(work)();
}

/// Elements, or bytes, that are worth giving up the lock for.
inline constexpr std::size_t long_work_bytes = 64 * 1024;

/// Returns an index from the front. Raises IndexError with `text` if there is no such item.
inline std::size_t to_index(nb::ssize_t i, std::size_t size, const char* text) {
  if (i < 0) i += static_cast<nb::ssize_t>(size);
  if (i < 0 || static_cast<std::size_t>(i) >= size) throw nb::index_error(text);
  return static_cast<std::size_t>(i);
}

/// Returns text of a file as str. Ill-formed UTF-8 becomes U+FFFD.
inline nb::object text_of(std::string_view text) {
  PyObject* const out = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (out == nullptr) throw nb::python_error();
  return nb::steal(out);
}

/// Returns a path as str, as `os.fsdecode` does: bytes that are no text become lone surrogates.
inline nb::object path_object(std::string_view path) {
  PyObject* const out = PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size()));
  if (out == nullptr) throw nb::python_error();
  return nb::steal(out);
}

/// Returns a path as the operating system has it: text as `os.fsencode` does, or bytes. Raises TypeError for all else,
/// and ValueError for a NUL, at which the system would cut the path off.
std::string to_path(nb::handle path);

/// Returns a file descriptor. Raises ValueError for an integer that is none.
int to_descriptor(nb::handle integer);

/// Returns the object of C++ in an object of Python. Raises TypeError for an object of another type, and for one that
/// `__init__` has not made.
template <class T>
T& require(nb::handle object, const char* text) {
  if (!nb::isinstance<T>(object) || !nb::inst_ready(object)) throw nb::type_error(text);
  return *nb::inst_ptr<T>(object);
}

/// Visits an object of Python for the garbage collector, by `visit(visitproc, void*)` of the object of C++ in it.
template <class T>
int traverse(PyObject* self, visitproc visit, void* arg) noexcept {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<T>(self)->visit(visit, arg) : 0;
}

/// Warns. Returns false if the warning became an exception, which is set.
inline bool warn(nb::handle category, std::string_view text) {
  return PyErr_WarnFormat(category.ptr(), 1, "%U", text_of(text).ptr()) == 0;
}

/// Returns an attribute of a module of the package.
inline nb::object from_package(const char* module, const char* name) {
  PyObject* const found = take_lock([&] { return PyImport_ImportModule(module); });
  if (found == nullptr) throw nb::python_error();
  return nb::steal(found).attr(name);
}

// Each class registers itself. Order matters: signatures name classes that are registered before.
void register_appender(nb::module_&);
void register_archive(nb::module_&);
void register_descriptor(nb::module_&);
void register_fingerprint(nb::module_&);
void register_gather(nb::module_&);
void register_gather_places(nb::module_&);
void register_message(nb::module_&);
void register_metadata(nb::module_&);
void register_new_object(nb::module_&);
void register_object(nb::module_&);
void register_packing(nb::module_&);
void register_validate(nb::module_&);
void register_stream_writer(nb::module_&);
void register_table(nb::module_&);
void register_collection(nb::module_&);
void register_text(nb::module_&);
void register_writer(nb::module_&);

}  // namespace tgmap_python

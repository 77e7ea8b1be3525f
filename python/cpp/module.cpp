// SPDX-License-Identifier: Apache-2.0
#include <tgmap/build_info.hpp>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/frame.hpp>

#include "cpp/archive/archive_iterators.hpp"
#include "cpp/arrays/numpy.hpp"
#include "cpp/handles/readable_memory.hpp"
#include "cpp/interpreter/errors.hpp"

namespace tgmap_python {
namespace {

nb::object text_or_none(std::string_view text) {
  return text.empty() ? nb::object(nb::none()) : nb::object(nb::str(text.data(), text.size()));
}

nb::list list_of_codecs() {
  nb::list out;
  for (const tgmap::codec_info& each : tgmap::codecs()) {
    nb::dict one;
    one["name"] = each.name;
    one["library"] = text_or_none(each.library);
    one["version"] = text_or_none(each.version);
    one["is_available"] = each.is_available;
    out.append(one);
  }
  return out;
}

/// Returns what the library is and which libraries it uses.
nb::dict doctor() {
  const tgmap::build_info info = tgmap::get_build_info();
  nb::list libraries;
  for (const tgmap::dependency& each : info.dependencies) {
    nb::dict one;
    one["name"] = each.name;
    one["version"] = text_or_none(each.version);
    one["origin"] = each.origin;
    one["used_for"] = each.used_for;
    libraries.append(one);
  }
  nb::dict out;
  out["version"] = info.version;
  out["compiler"] = info.compiler;
  out["build_type"] = info.build_type;
  out["target"] = info.target;
  out["libraries"] = libraries;
  out["codecs"] = list_of_codecs();
  return out;
}

/// Returns the hash of bytes as the format computes it.
std::uint64_t xxh3(nb::handle buffer) {
  if (PyBytes_Check(buffer.ptr()) && PyBytes_Size(buffer.ptr()) == 0) return tgmap::xxh3({});
  const input_buffer bytes = bytes_of(buffer);
  if (!PyBytes_Check(buffer.ptr())) require_readable(bytes.bytes);
  return without_lock(bytes.bytes.size() > long_work_bytes, [&] { return tgmap::xxh3(bytes.bytes); });
}

bool is_loaded = false;  // in this process

}  // namespace
}  // namespace tgmap_python

// The function of this name that nanobind defines gets another one, and is called by the one below.
#define PyInit__core tgmap_init_core
NB_MODULE(_core, m) {
  using namespace tgmap_python;
  // Threads that the interpreter does not wait for, and objects of other libraries, may have archives at its end.
  nb::set_leak_warnings(false);
  import_numpy();
  register_errors();
  register_text(m);
  register_metadata(m);
  register_descriptor(m);
  register_message(m);
  register_object(m);
  register_archive_iterators(m);
  register_archive(m);
  m.def("xxh3", xxh3, "data"_a, "Return the xxh3 hash of 64 bits that the format uses, of any object with a buffer.");
  register_validate(m);
  const std::string_view version = tgmap::get_build_info().version;
  m.attr("__version__") = nb::str(version.data(), version.size());
  register_table(m);
  register_collection(m);
  register_fingerprint(m);
  register_gather(m);
  register_gather_places(m);
  register_new_object(m);
  register_packing(m);
  register_writer(m);
  register_appender(m);
  register_stream_writer(m);
  m.def(
      "_warn_of_leaks", [](bool warns) { nb::set_leak_warnings(warns); }, "warns"_a);
  m.def("doctor", doctor, "Return what the library is and which libraries it uses, as a dict.");
  is_loaded = true;
}
#undef PyInit__core

/// Types are registered once in a process. A second registration would break the first one.
extern "C" NB_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    PyErr_SetString(PyExc_ImportError, "tgmap can be imported in the main interpreter only");
    return nullptr;
  }
  if (tgmap_python::is_loaded) {
    PyErr_SetString(PyExc_ImportError, "tgmap was imported before, and cannot be loaded again in this process");
    return nullptr;
  }
  return tgmap_init_core();
}

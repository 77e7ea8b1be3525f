// SPDX-License-Identifier: Apache-2.0
#include <tgmap/message.hpp>

#include <tgmap/tools/index.hpp>

#include "cpp/arrays/numpy.hpp"
#include "cpp/handles/handles.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/scalars.hpp"

namespace tgmap_python {
namespace {

std::size_t size_of(const py_message& m) {
  tgmap::failure why;
  const std::size_t out = m.handle.size(why);
  raise_if(why);
  return out;
}

py_object object_of(const py_message& m, nb::ssize_t j) {
  tgmap::failure why;
  if (j < 0) j = static_cast<nb::ssize_t>(to_index(j, size_of(m), "the message has fewer objects"));
  const tgmap::located_object found = tgmap::locate(m.handle, static_cast<std::size_t>(j), why);
  raise_if(why);
  return {m.from, found};
}

/// A `object_iterator` is an iterator over the objects of a message.
struct object_iterator {
  py_message of;
  std::size_t next = 0, count = 0;

  py_object operator()() {
    if (next >= count) throw nb::stop_iteration();
    return object_of(of, static_cast<nb::ssize_t>(next++));
  }
};

py_metadata metadata_of(const py_message& m, tgmap::metadata (tgmap::message::*part)(tgmap::failure&) const noexcept) {
  tgmap::failure why;
  const tgmap::metadata keys = (m.handle.*part)(why);
  auto copy = why ? tgmap::metadata_copy() : tgmap::metadata_copy::of(keys, why);
  raise_if(why);
  return {m.from, std::move(copy)};
}

py_metadata base_of(const py_message& m, argument<nb::ssize_t> number) {
  const nb::ssize_t j = number;
  tgmap::failure why;
  const std::size_t index =
      j < 0 ? to_index(j, size_of(m), "the message has fewer objects") : static_cast<std::size_t>(j);
  const tgmap::metadata keys = m.handle.base(index, why);
  auto copy = why ? tgmap::metadata_copy() : tgmap::metadata_copy::of(keys, why);
  raise_if(why);
  return {m.from, std::move(copy)};
}

/// Returns the bytes in the mapping; a copy if there is none.
nb::object bytes_of_message(const py_message& m) {
  if (m.from->has_bytes_in_place()) {
    tgmap::failure why;
    const auto bytes = m.handle.bytes(why);
    raise_if(why);
    std::byte last{};  // after a cut, a view is made only of bytes that are all there
    m.from->archive.read(m.handle.offset() + m.handle.length() - 1, {&last, 1}, why);
    raise_if(why);
    return borrowed_bytes(bytes, m.from.owner());
  }
  const std::uint64_t size = m.handle.length();
  const new_array copy = make_array(tgmap::dtype::uint8, tgmap::native_byte_order, std::span(&size, 1));
  tgmap::failure why;
  without_lock(size > long_work_bytes, [&] { m.from->archive.read(m.handle.offset(), copy.bytes, why); });
  raise_if(why);
  return borrowed_bytes(copy.bytes, copy.array);
}

/// Returns the message as its own frames describe it, whatever an index says of its objects.
tgmap::message without_index(const py_message& m, tgmap::failure& why) {
  if (!m.from->archive.index_status().is_used) return m.handle;
  const tgmap::archive scanned = tgmap::without_index(m.from->archive, why);
  return why ? tgmap::message() : scanned.at_offset(m.handle.offset(), why);
}

/// Returns True if all hashes match, False if one does not, and None if an object has none.
nb::object verify(const py_message& m) {
  bool has_all = true, matches = true;
  tgmap::failure why;
  without_lock(m.handle.length() > long_work_bytes, [&] {
    const tgmap::message in = without_index(m, why);
    const std::size_t count = why ? 0 : in.size(why);
    for (std::size_t j = 0; j < count && !why; ++j) {
      const tgmap::object o = in.at(j, why);
      if (why) return;
      const tgmap::hash_result found = o.verify(why);
      has_all = has_all && (found == tgmap::hash_result::match || found == tgmap::hash_result::mismatch);
      matches = matches && found != tgmap::hash_result::mismatch;
    }
  });
  raise_if(why);
  if (!matches) return nb::bool_(false);
  return has_all ? nb::object(nb::bool_(true)) : nb::object(nb::none());
}

nb::list arrays_of(const py_message& m) {
  nb::list out;
  const std::size_t count = size_of(m);
  for (std::size_t j = 0; j < count; ++j) out.append(nb::cast(object_of(m, static_cast<nb::ssize_t>(j))).attr("array"));
  return out;
}

}  // namespace

void register_message(nb::module_& m) {
  nb::class_<object_iterator>(m, "_ObjectIterator")
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", &object_iterator::operator());

  nb::class_<py_message>(m, "Message", "One message of an archive: its metadata and its objects.")
      .def("__len__", size_of)
      .def("__bool__", [](const py_message&) { return true; })
      .def(
          "__getitem__", [](const py_message& self, argument<nb::ssize_t> number) { return object_of(self, number); },
          "number"_a)
      .def("__getitem__",
           [](nb::handle self, nb::slice wanted) {
             return call_python(from_package("tgmap._sequence", "Objects"), self, wanted);
           })
      .def("__iter__",
           [](const py_message& self) {
             return object_iterator{self, 0, size_of(self)};
           })
      .def_prop_ro(
          "offset", [](const py_message& self) { return self.handle.offset(); },
          "Offset of the first byte in the archive.")
      .def_prop_ro(
          "length", [](const py_message& self) { return self.handle.length(); }, "Number of bytes.")
      .def_prop_ro(
          "version", [](const py_message& self) { return self.handle.version(); },
          "Version of the wire format: 1, 2 or 3.")
      .def_prop_ro(
          "index",
          [](const py_message& self) -> nb::object {
            const auto number = self.handle.index();
            return number ? nb::object(nb::int_(*number)) : nb::object(nb::none());
          },
          "Number in the archive; None for a message found by its offset or from the end, until a scan has "
          "reached it.")
      .def_prop_ro(
          "is_streamed", [](const py_message& self) { return self.handle.is_streamed(); },
          "Whether it was written as a stream, without its length at the beginning.")
      .def_prop_ro(
          "is_incomplete", [](const py_message& self) { return self.handle.is_incomplete(); },
          "Whether it is a stream that was cut; its whole objects can be read.")
      .def_prop_ro(
          "metadata", [](const py_message& self) { return metadata_of(self, &tgmap::message::metadata); },
          "Keys that hold for the whole message.")
      .def_prop_ro(
          "reserved", [](const py_message& self) { return metadata_of(self, &tgmap::message::provenance); },
          "Keys that say what wrote the message and when.")
      .def("base", base_of, "number"_a, "Return the keys of one object alone, without those of the whole message.")
      .def("arrays", arrays_of, "Return the arrays of all objects, as Object.array gives them.")
      .def("verify", verify,
           "Compare the bytes with the stored hashes: True if all match, False if one does not, None if an object has "
           "none.")
      .def_prop_ro("bytes", bytes_of_message, "The bytes as stored: a read-only memoryview of the mapping.")
      .def("__eq__",
           [](const py_message& self, nb::handle other) {
             py_message* that = nullptr;
             return nb::try_cast(other, that) && that->handle.offset() == self.handle.offset() &&
                    that->from.owner().is(self.from.owner());
           })
      .def("__hash__", [](const py_message& self) { return self.handle.offset(); })
      .def("__reduce__",
           [](nb::handle self) { return call_python(from_package("tgmap._pickling", "reduce_message"), self); })
      .def_prop_ro("_opened", [](const py_message& self) { return self.from.owner(); })
      .def("__repr__",
           [](nb::handle self) { return call_python(from_package("tgmap._printing.repr", "message"), self); });
}

}  // namespace tgmap_python

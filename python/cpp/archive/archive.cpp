// SPDX-License-Identifier: Apache-2.0
#include <tgmap/archive.hpp>

#include <tgmap/mapping_guard.hpp>
#include <tgmap/tools/index.hpp>

#include "cpp/archive/archive_iterators.hpp"
#include "cpp/archive/py_archive.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/scalars.hpp"
#include "cpp/interpreter/text.hpp"
#include "cpp/tools/table.hpp"

namespace tgmap_python {
namespace {

nb::object to_gap(const char* name, std::uint64_t begin, std::uint64_t end, const tgmap::failure& cause) {
  const bool is_own = cause.code.category() == tgmap::category();
  const std::string_view code = is_own ? tgmap::to_string_view(static_cast<tgmap::errc>(cause.code.value())) : "io";
  return from_package("tgmap._types", name)(begin, end, nb::str(code.data(), code.size()), shown_text(cause.text()));
}

nb::object tail_of(const py_archive& a) {
  const auto tail = a.opened()->archive.incomplete_tail();
  return tail ? to_gap("Tail", tail->begin, tail->end, tail->cause) : nb::object(nb::none());
}

nb::list gaps_of(const py_archive& a) {
  nb::list out;
  for (const tgmap::gap& each : a.opened()->archive.gaps()) out.append(to_gap("Gap", each.begin, each.end, each.cause));
  return out;
}

nb::list parts_of(const py_archive& a, argument<std::size_t> count) {
  const shared_archive from = a.opened();
  tgmap::failure why;
  scan_all(from->archive);
  const auto parts = without_lock(true, [&] { return from->archive.partition(count, why); });
  std::byte last{};  // of a file that was cut, no part could be opened
  if (!why && !parts.empty()) from->archive.read(parts.back().end - 1, {&last, 1}, why);
  raise_if(why, from->path);
  nb::list out;
  for (const tgmap::archive_part& each : parts)
    out.append(nb::make_tuple(each.begin, each.end, each.first_message, each.messages));
  return out;
}

nb::bytes read_bytes(const opened_archive& from, std::uint64_t offset, std::size_t size) {
  std::string out(size, '\0');
  tgmap::failure why;
  from.archive.read(offset, std::as_writable_bytes(std::span(out)), why);
  raise_if(why, from.path);
  return nb::bytes(out.data(), out.size());
}

bool is_replaced(const opened_archive& from) {
  tgmap::failure why;
  const bool out = from.archive.is_replaced(why);
  raise_if(why, from.path);
  return out;
}

nb::str state_of_index(const py_archive& a) {
  const tgmap::index_status status = a.opened()->archive.index_status();
  return shown_text(status.refusal ? status.refusal.text() : std::string());
}

}  // namespace

void register_archive(nb::module_& m) {
  nb::class_<opened_archive>(m, "_OpenedArchive", nb::is_weak_referenceable(),
                             "Keeps an archive open for arrays and handles.")
      .def_rw("origin", &opened_archive::origin, nb::arg().none())
      .def_prop_ro("buffer",
                   [](const opened_archive& self) { return self.buffer.is_valid() ? self.buffer : nb::none(); })
      .def("at_offset",
           [](nb::handle self, std::uint64_t offset) { return message_at(shared_archive(nb::borrow(self)), offset); })
      .def_prop_ro("nbytes", [](const opened_archive& self) { return self.archive.size_bytes(); })
      .def_prop_ro("file_state",
                   [](const opened_archive& self) {
                     return self.state ? nb::object(nb::make_tuple(self.state->size, self.state->changed_at))
                                       : nb::object(nb::none());
                   })
      .def_prop_ro("max_decoded", [](const opened_archive& self) { return self.max_decoded; })
      .def("is_replaced", is_replaced)
      .def("read", read_bytes, "offset"_a, "size"_a);

  nb::class_<py_archive>(m, "Archive")
      .def("__init__", [](py_archive* self,
                          const opened_archive& opened) { new (self) py_archive(shared_archive(nb::find(opened))); })
      .def(
          "__init__",
          [](py_archive* self, nb::handle source, const std::string& mode, const std::string& damage,
             const std::string& index, argument<bool> index_cache, nb::handle index_path, std::string trust_index_of,
             argument<std::uint64_t> offset, std::optional<argument<std::uint64_t>> length,
             argument<std::uint64_t> max_decoded, nb::handle index_bytes, nb::handle stream_name) {
            opening_options chosen{.mode = mode,
                                   .damage = damage,
                                   .index = index,
                                   .index_cache = index_cache,
                                   .trust_index_of = std::move(trust_index_of),
                                   .offset = offset,
                                   .length = length,
                                   .max_decoded = max_decoded};
            if (!index_path.is_none()) chosen.index_path = to_path(index_path);
            if (!stream_name.is_none()) chosen.stream_name = to_path(stream_name);
            new (self) py_archive(source, chosen, index_bytes);
          },
          "source"_a, nb::kw_only(), "mode"_a = "auto", "damage"_a = "stop", "index"_a = "use", "index_cache"_a = false,
          "index_path"_a = nb::none(), "trust_index_of"_a = "", "offset"_a = 0, "length"_a = nb::none(),
          "max_decoded"_a = opening_options().max_decoded, "index_bytes"_a = nb::none(), "stream_name"_a = nb::none())
      .def("__len__", &py_archive::size)
      .def("__bool__", [](const py_archive& self) { return !self.is_closed(); })
      .def(
          "__getitem__", [](const py_archive& self, argument<nb::ssize_t> number) { return self.message(number); },
          "number"_a)
      .def("__getitem__",
           [](nb::handle self, nb::slice wanted) {
             return call_python(from_package("tgmap._sequence", "Messages"), self, wanted);
           })
      .def("__iter__", [](const py_archive& self) { return message_iterator{self.opened()}; })
      .def(
          "find",
          [](const py_archive& self, nb::handle where) { return found_messages(self.opened(), to_selection(where)); },
          "where"_a.none() = nb::none(),
          "Return an iterator over the messages that a selection matches, such as 'mars.param=2t' or {'mars.param': "
          "'2t', 'mars.step': [0, 6]}. At its end, KeyWarning names keys that no message has.")
      .def(
          "find_objects",
          [](const py_archive& self, nb::handle where) { return found_objects(self.opened(), to_selection(where)); },
          "where"_a.none() = nb::none(), "Return an iterator over the objects that a selection matches, as find does.")
      .def(
          "at_offset",
          [](const py_archive& self, argument<std::uint64_t> offset) { return message_at(self.opened(), offset); },
          "offset"_a, "Return the message that begins at this offset in the archive. Scans nothing.")
      .def_prop_ro("gaps", gaps_of, "Ranges of bytes that belong to no message, as far as the archive was scanned.")
      .def_prop_ro("tail", tail_of, "The incomplete message at the end, or None. Known once the archive was scanned.")
      .def_prop_ro(
          "is_complete", [](const py_archive& self) { return self.opened()->archive.is_complete(); },
          "Whether all messages are known.")
      .def_prop_ro(
          "nbytes", [](const py_archive& self) { return self.opened()->archive.size_bytes(); },
          "Size of the archive in bytes.")
      .def_prop_ro(
          "mode", [](const py_archive& self) { return tgmap::to_string_view(self.opened()->archive.mode()); },
          "How bytes are read: 'map' or 'read'.")
      .def_prop_ro(
          "uses_index", [](const py_archive& self) { return self.opened()->archive.index_status().is_used; },
          "Whether the archive was opened by an index file.")
      .def_prop_ro(
          "index_is_current", [](const py_archive& self) { return self.opened()->archive.index_status().is_current; },
          "Whether the index answers: it was made of the archive as it is now.")
      .def_prop_ro("index_problem", state_of_index, "Why an index file that exists is not used; else empty.")
      .def_prop_ro(
          "path", [](const py_archive& self) { return path_object(self.opened()->path); },
          "The path that was opened; empty for other sources.")
      .def_prop_ro("is_closed", &py_archive::is_closed)
      .def_prop_ro(
          "is_replaced", [](const py_archive& self) { return is_replaced(*self.opened()); },
          "Whether the path leads to another file now. False if it leads to none, and without a path.")
      .def("_parts", parts_of)
      .def("_share", &py_archive::share, "other"_a)
      .def_prop_ro("_opened", [](const py_archive& self) { return self.opened().owner(); })
      .def("_read", [](const py_archive& self, std::uint64_t offset,
                       std::size_t size) { return read_bytes(*self.opened(), offset, size); })
      .def(
          "index_bytes",
          [](const py_archive& self) {
            const shared_archive from = self.opened();
            tgmap::failure why;
            const auto bytes = without_lock(true, [&] { return from->archive.index_bytes(why); });
            raise_if(why, from->path);
            return nb::bytes(bytes.data(), bytes.size());
          },
          "Return the bytes of the index that the archive uses, for other processes.")
      .def("refresh", &py_archive::refresh,
           "See messages that were appended since the archive was opened. Handles and arrays stay valid.")
      .def("close", &py_archive::close, "Close the archive. Messages, objects and arrays stay valid.")
      .def("__reduce__",
           [](nb::handle self) { return call_python(from_package("tgmap._pickling", "reduce_archive"), self); })
      .def("__enter__", [](nb::handle self) { return self; })
      .def("__exit__", [](py_archive& self, nb::args) { self.close(); });

  m.def(
      "install_guard",
      [] {
        raise_if(tgmap::mapping_guard::install());
        if (!tgmap::mapping_guard::is_installed())
          PyErr_WarnEx(PyExc_RuntimeWarning, "another handler of SIGBUS has replaced the guard", 1);
      },
      "Install a handler of SIGBUS, so that archives that are opened later are scanned through the mapping, which is "
      "faster. It does not protect views. Raise OSError (EBUSY) if another handler has replaced it.");
  m.def("has_guard", &tgmap::mapping_guard::is_installed,
        "Return whether the guard is installed and nothing has replaced it.");
}

}  // namespace tgmap_python

// SPDX-License-Identifier: Apache-2.0
// Archives: opening them, and finding messages.
#include <tgmap/archive.hpp>

#include <deque>
#include <tgmap/mapping_guard.hpp>
#include <tgmap/query/selection.hpp>

#include "choices.hpp"
#include "errors.hpp"
#include "handles.hpp"
#include "numpy.hpp"
#include "table.hpp"

namespace tgmap_python {
namespace {

/// A `py_archive` is an archive of Python: one that is open, or closed.
class py_archive {
 public:
  struct options {
    std::string mode = "auto", damage = "stop", index = "use";
    bool index_cache = false;
    std::optional<std::string> index_path{};
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> length{};
  };

  /// `source`: a path as text, a file descriptor, or an object with a buffer. `index_bytes`: of an index that another
  /// process has, or None.
  py_archive(nb::handle source, const options& chosen, nb::handle index_bytes) : index_bytes_(nb::borrow(index_bytes)) {
    const tgmap::open_options how = to_options(chosen);
    opened_archive opened;
    tgmap::failure why;
    if (PyUnicode_Check(source.ptr())) {
      opened.path = nb::cast<std::string>(source);
      const input_buffer index = index_bytes.is_none() ? input_buffer{} : bytes_of(index_bytes);
      opened.buffer = index.owner;
      opened.archive = without_lock(true, [&] {
        return index.owner.is_valid() ? tgmap::archive::open(opened.path, index.bytes, how, why)
                                      : tgmap::archive::open(opened.path, how, why);
      });
    } else if (PyLong_Check(source.ptr())) {
      const int descriptor = nb::cast<int>(source);
      opened.archive = without_lock(true, [&] { return tgmap::archive::from_descriptor(descriptor, how, why); });
    } else {
      input_buffer memory = bytes_of(source);
      opened.archive = tgmap::archive::from_memory(memory.bytes, how, why);
      opened.buffer = std::move(memory.owner);
    }
    raise_if(why, opened.path);
    set(std::move(opened));
  }

  explicit py_archive(shared_archive opened) noexcept : opened_(std::move(opened)) {}

  const shared_archive& opened() const {
    if (opened_.empty()) throw nb::value_error("the archive is closed");
    return opened_;
  }
  const tgmap::archive& archive() const { return opened()->archive; }
  bool is_closed() const noexcept { return opened_.empty(); }
  void close() noexcept { opened_ = {}; }

  py_message message(nb::ssize_t i) const {
    const tgmap::archive& from = archive();
    tgmap::failure why;
    tgmap::message found;
    if (i >= 0) {
      const auto number = static_cast<std::size_t>(i);
      const bool is_known = number < from.scan_progress().messages;
      found = without_lock(!is_known, [&] { return from.at(number, why); });
    } else {
      found = without_lock(true, [&] { return from.nth_from_end(static_cast<std::size_t>(-(i + 1)), why); });
    }
    raise_if(why);
    return {opened_, found};
  }

  std::size_t size() const {
    const tgmap::archive& from = archive();
    tgmap::failure why;
    const std::size_t out = without_lock(!from.is_complete(), [&] { return from.size(why); });
    raise_if(why);
    return out;
  }

  void refresh() {
    tgmap::failure why;
    opened_archive next{.archive = without_lock(true, [&] { return archive().reopen(why); }),
                        .buffer = opened_->buffer,
                        .path = opened_->path,
                        .origin = opened_->origin};
    raise_if(why, next.path);
    set(std::move(next));
  }

 private:
  static tgmap::open_options to_options(const options& chosen) {
    using namespace tgmap;
    open_options out;
    out.io = choice<io_mode>(chosen.mode,
                             {{"auto", io_mode::automatic}, {"map", io_mode::map}, {"read", io_mode::read}}, "mode");
    out.damage = choice<on_damage>(chosen.damage, {{"stop", on_damage::stop}, {"skip", on_damage::skip}}, "damage");
    out.index = choice<index_use>(chosen.index,
                                  {{"none", index_use::none},
                                   {"use", index_use::use},
                                   {"checked", index_use::checked},
                                   {"create", index_use::create}},
                                  "index");
    out.index_cache = chosen.index_cache;
    if (chosen.index_path) out.index_path = *chosen.index_path;
    out.offset = chosen.offset;
    if (chosen.length) out.length = *chosen.length;
    // A handler that Python code sets later would replace the guard without notice, so that it is used on request only.
    out.guard = mapping_guard::is_installed() ? guard_use::automatic : guard_use::never;
    return out;
  }

  void set(opened_archive&& next) { opened_ = shared_archive(nb::cast(std::move(next))); }

  shared_archive opened_{};
  nb::object index_bytes_{};
};

/// A `message_iterator` finds messages while it goes on.
struct message_iterator {
  shared_archive from;
  std::size_t next = 0;

  py_message operator()() {
    tgmap::failure why;
    const bool is_known = next < from->archive.scan_progress().messages;
    const tgmap::message found = without_lock(!is_known, [&] { return from->archive.at(next, why); });
    if (why.code == tgmap::errc::out_of_range) throw nb::stop_iteration();
    raise_if(why);
    ++next;
    return {from, found};
  }
};

/// A `selection_iterator` finds matches in batches, so that other threads run while keys are read.
template <class Range, class Match>
class selection_iterator {
 public:
  selection_iterator(shared_archive from, tgmap::selection wanted)
      : from_(std::move(from)), range_(from_->archive, std::move(wanted)) {}

  Match next() {
    if (batch_.empty() && !why_ && !ended_) without_lock(true, [&] { load(); });
    if (batch_.empty()) {
      raise_if(std::exchange(why_, {}));
      throw nb::stop_iteration();
    }
    const Match out = batch_.front();
    batch_.pop_front();
    return out;
  }
  const shared_archive& from() const noexcept { return from_; }

 private:
  static constexpr std::size_t batch_size = 64;

  void load() {
    Match found;
    while (batch_.size() < batch_size) {
      if (!range_.next(found, why_)) {
        ended_ = !why_;
        return;
      }
      batch_.push_back(found);
    }
  }

  shared_archive from_;
  Range range_;
  std::deque<Match> batch_{};
  tgmap::failure why_{};
  bool ended_ = false;
};

using found_messages = selection_iterator<tgmap::selected_messages, tgmap::selected_message>;
using found_objects = selection_iterator<tgmap::selected_objects, tgmap::selected_object>;

nb::object to_gap(const char* name, std::uint64_t begin, std::uint64_t end, const tgmap::failure& cause) {
  const bool is_own = cause.code.category() == tgmap::category();
  const std::string_view code = is_own ? tgmap::to_string_view(static_cast<tgmap::errc>(cause.code.value())) : "io";
  return from_package("tgmap._types", name)(begin, end, nb::str(code.data(), code.size()), cause.text());
}

nb::object tail_of(const py_archive& a) {
  const auto tail = a.archive().incomplete_tail();
  return tail ? to_gap("Tail", tail->begin, tail->end, tail->cause) : nb::object(nb::none());
}

nb::list gaps_of(const py_archive& a) {
  nb::list out;
  for (const tgmap::gap& each : a.archive().gaps()) out.append(to_gap("Gap", each.begin, each.end, each.cause));
  return out;
}

nb::list parts_of(const py_archive& a, std::size_t count) {
  tgmap::failure why;
  const auto parts = without_lock(true, [&] { return a.archive().partition(count, why); });
  raise_if(why);
  nb::list out;
  for (const tgmap::archive_part& each : parts)
    out.append(nb::make_tuple(each.begin, each.end, each.first_message, each.messages));
  return out;
}

py_message message_at(const shared_archive& from, std::uint64_t offset) {
  tgmap::failure why;
  const tgmap::message found = from->archive.at_offset(offset, why);
  raise_if(why, from->path);
  return {from, found};
}

nb::bytes read_bytes(const opened_archive& from, std::uint64_t offset, std::size_t size) {
  std::string out(size, '\0');
  tgmap::failure why;
  from.archive.read(offset, std::as_writable_bytes(std::span(out)), why);
  raise_if(why, from.path);
  return nb::bytes(out.data(), out.size());
}

std::string state_of_index(const py_archive& a) {
  const tgmap::index_status status = a.archive().index_status();
  return status.refusal ? status.refusal.text() : std::string();
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
      .def("read", read_bytes, "offset"_a, "size"_a);

  nb::class_<message_iterator>(m, "_MessageIterator")
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", &message_iterator::operator());
  nb::class_<found_messages>(m, "_FoundMessages")
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", [](found_messages& self) {
        return py_message{self.from(), self.next().message};
      });
  nb::class_<found_objects>(m, "_FoundObjects")
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", [](found_objects& self) {
        const auto found = self.next();
        return py_object{self.from(), found.message, found.object};
      });

  nb::class_<py_archive>(m, "Archive")
      .def("__init__", [](py_archive* self,
                          const opened_archive& opened) { new (self) py_archive(shared_archive(nb::find(opened))); })
      .def(
          "__init__",
          [](py_archive* self, nb::handle source, const std::string& mode, const std::string& damage,
             const std::string& index, bool index_cache, std::optional<std::string> index_path, std::uint64_t offset,
             std::optional<std::uint64_t> length, nb::handle index_bytes) {
            new (self) py_archive(source, {mode, damage, index, index_cache, std::move(index_path), offset, length},
                                  index_bytes);
          },
          "source"_a, nb::kw_only(), "mode"_a = "auto", "damage"_a = "stop", "index"_a = "use", "index_cache"_a = false,
          "index_path"_a = nb::none(), "offset"_a = 0, "length"_a = nb::none(), "index_bytes"_a = nb::none())
      .def("__len__", &py_archive::size)
      .def("__bool__", [](const py_archive& self) { return !self.is_closed(); })
      .def("__getitem__", &py_archive::message, "number"_a)
      .def("__getitem__",
           [](nb::handle self, nb::slice wanted) { return from_package("tgmap._sequence", "Messages")(self, wanted); })
      .def("__iter__", [](const py_archive& self) { return message_iterator{self.opened()}; })
      .def(
          "find",
          [](const py_archive& self, const std::string& where) {
            return found_messages(self.opened(), to_selection(where));
          },
          "where"_a, "Return an iterator over the messages that a selection matches, such as 'mars.param=2t'.")
      .def(
          "find_objects",
          [](const py_archive& self, const std::string& where) {
            return found_objects(self.opened(), to_selection(where));
          },
          "where"_a, "Return an iterator over the objects that a selection matches.")
      .def(
          "at_offset", [](const py_archive& self, std::uint64_t offset) { return message_at(self.opened(), offset); },
          "offset"_a, "Return the message that begins at this offset in the archive. Scans nothing.")
      .def_prop_ro("gaps", gaps_of, "Ranges of bytes that belong to no message, as far as the archive was scanned.")
      .def_prop_ro("tail", tail_of, "The incomplete message at the end, or None. Known once the archive was scanned.")
      .def_prop_ro(
          "is_complete", [](const py_archive& self) { return self.archive().is_complete(); },
          "Whether all messages are known.")
      .def_prop_ro(
          "nbytes", [](const py_archive& self) { return self.archive().size_bytes(); }, "Size of the archive in bytes.")
      .def_prop_ro(
          "mode", [](const py_archive& self) { return tgmap::to_string_view(self.archive().mode()); },
          "How bytes are read: 'map' or 'read'.")
      .def_prop_ro(
          "uses_index", [](const py_archive& self) { return self.archive().index_status().is_used; },
          "Whether the archive was opened by an index file.")
      .def_prop_ro("index_problem", state_of_index, "Why an index file that exists is not used; else empty.")
      .def_prop_ro(
          "path", [](const py_archive& self) { return self.opened()->path; },
          "The path that was opened; empty for other sources.")
      .def_prop_ro("is_closed", &py_archive::is_closed)
      .def_prop_ro("_opened", [](const py_archive& self) { return self.opened().owner(); })
      .def("_parts", parts_of)
      .def_prop_ro("_opened", [](const py_archive& self) { return self.opened().owner(); })
      .def("_read", [](const py_archive& self, std::uint64_t offset,
                       std::size_t size) { return read_bytes(*self.opened(), offset, size); })
      .def(
          "index_bytes",
          [](const py_archive& self) {
            tgmap::failure why;
            const auto bytes = without_lock(true, [&] { return self.archive().index_bytes(why); });
            raise_if(why, self.opened()->path);
            return nb::bytes(bytes.data(), bytes.size());
          },
          "Return the bytes of the index that the archive uses, for other processes.")
      .def("refresh", &py_archive::refresh,
           "See messages that were appended since the archive was opened. Handles and arrays stay valid.")
      .def("close", &py_archive::close, "Close the archive. Messages, objects and arrays stay valid.")
      .def("__enter__", [](nb::handle self) { return self; })
      .def("__exit__", [](py_archive& self, nb::args) { self.close(); });

  m.def("install_guard", [] {
    raise_if(tgmap::mapping_guard::install());
    if (!tgmap::mapping_guard::is_installed())
      PyErr_WarnEx(PyExc_RuntimeWarning, "another handler of SIGBUS has replaced the guard", 1);
  });
  m.def("has_guard", &tgmap::mapping_guard::is_installed,
        "Return whether the guard is installed and nothing has replaced it.");
}

}  // namespace tgmap_python

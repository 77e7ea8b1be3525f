// SPDX-License-Identifier: Apache-2.0
// Adding messages to an archive that others may read.
#include "cpp/writing/appender.hpp"

#include "cpp/writing/message_options.hpp"

namespace tgmap_python {

py_appender::py_appender(nb::handle path, keywords options) : path_(to_path(path)) {
  using tgmap::on_tail;
  options_.write = take_message_options(options);
  options.take("create", options_.create);
  options.take("sync", options_.sync);
  options.take("lock", options_.lock);
  options.take<on_tail>("on_tail", {on_tail::refuse, on_tail::truncate}, options_.tail);
  require_none(options);
  tgmap::failure why;
  without_lock(true, [&] { appender_.emplace(tgmap::appender::open(path_, options_, why)); });
  raise_if(why, path_);
}

py_appender::~py_appender() {
  if (!appender_) return;
  without_lock(true, [&] { appender_.reset(); });
  if (!has_stream_ || process_ != ::getpid()) return;
  const nb::error_scope kept;
  const std::string text = path_ + ": a stream was not closed, and its message was cut off";
  if (!warn(PyExc_ResourceWarning, text)) PyErr_WriteUnraisable(nullptr);
}

tgmap::appender& py_appender::require_open() {
  if (is_closed_) throw nb::value_error("the appender is closed");
  return *appender_;
}

template <class Work>
void py_appender::run(bool is_long, Work&& work) {
  const exclusive_use alone(mutex_);
  tgmap::appender& to = require_open();
  tgmap::failure why;
  without_lock(is_long || options_.sync, [&] { work(to, why); });
  raise_if(why, path_);
}

void py_appender::write(nb::handle objects, nb::handle metadata, keywords options) {
  const new_content content = to_content(objects, metadata, options, version());
  run(content.bytes > long_work_bytes, [&](auto& to, auto& why) { to.write(content.message, why); });
}

void py_appender::write_message(const py_message& message, nb::handle metadata, const keywords& options) {
  if (!metadata.is_none()) throw nb::type_error("a message is copied as it is; it takes no metadata");
  require_none(options);
  run(message.handle.length() > long_work_bytes, [&](auto& to, auto& why) { to.write(message.handle, why); });
}

void py_appender::sync() {
  run(true, [](auto& to, auto& why) { to.sync(why); });
}

void py_appender::close() {
  const exclusive_use alone(mutex_);
  if (is_closed_) return;
  is_closed_ = true;
  tgmap::failure why;
  without_lock(true, [&] {
    appender_->close(why);
    appender_.reset();
  });
  if (!why) return;
  const std::string text = path_ + ": all messages were appended, but the index is not current: " + why.text();
  const nb::object category = nb::module_::import_("tgmap._errors").attr("IndexWarning");
  if (!warn(category, text)) throw nb::python_error();
}

tgmap::stream_writer& py_appender::begin_stream(const tgmap::cbor_value& extra) {
  tgmap::stream_writer* out = nullptr;
  run(false, [&](auto& to, auto& why) { out = to.begin_stream(extra, why); });
  has_stream_ = true;
  return *out;
}

void py_appender::end_stream() {
  has_stream_ = false;
  run(true, [](auto& to, auto& why) { to.close_stream(why); });
}

std::uint64_t py_appender::size_bytes() const { return is_closed_ ? 0 : appender_->size_bytes(); }

void register_appender(nb::module_& m) {
  nb::class_<py_appender>(m, "Appender")
      .def(
          "__init__",
          [](py_appender* self, nb::handle path, nb::kwargs options) {
            new (self) py_appender(path, keywords(std::move(options)));
          },
          "path"_a, "options"_a)
      .def(
          "write",
          [](py_appender& self, const py_message& message, nb::handle metadata, nb::kwargs options) {
            self.write_message(message, metadata, keywords(std::move(options)));
          },
          "message"_a, "metadata"_a = nb::none(), "options"_a, "Copy a message of an archive byte for byte.")
      .def(
          "write",
          [](py_appender& self, nb::handle objects, nb::handle metadata, nb::kwargs pipeline) {
            self.write(objects, metadata, keywords(std::move(pipeline)));
          },
          "objects"_a, "metadata"_a = nb::none(), "pipeline"_a,
          "Append one message, as Writer.write does. After an error the archive is as it was.")
      .def("sync", &py_appender::sync, "Wait until all appended messages are on the disk.")
      .def(
          "close", &py_appender::close,
          "Close the archive and give up its lock. An open stream that is not finished is cut off. An index beside the "
          "archive that was current before is extended.")
      .def_prop_ro("is_closed", &py_appender::is_closed)
      .def_prop_ro("nbytes", &py_appender::size_bytes,
                   "Bytes of the archive with what was appended; 0 once it is closed.")
      .def_prop_ro("path", [](const py_appender& self) { return path_object(self.path()); })
      .def("__enter__", [](nb::handle self) { return self; })
      .def("__exit__", [](py_appender& self, nb::args) { self.close(); });
}

}  // namespace tgmap_python

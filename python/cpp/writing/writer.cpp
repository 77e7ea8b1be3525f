// SPDX-License-Identifier: Apache-2.0
// Writing whole messages: to files, and as bytes.
#include <exception>
#include <tgmap/write/writer.hpp>

#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/exclusive_use.hpp"
#include "cpp/interpreter/scalars.hpp"
#include "cpp/writing/bytes_sink.hpp"
#include "cpp/writing/message_options.hpp"
#include "cpp/writing/new_object.hpp"
#include "cpp/writing/output.hpp"

namespace tgmap_python {
namespace {

/// Tells an output if the call that it is in raises.
class noted_failure {
 public:
  explicit noted_failure(output& of) noexcept : output_(&of), before_(std::uncaught_exceptions()) {}
  ~noted_failure() {
    if (std::uncaught_exceptions() > before_) output_->keep_older();
  }
  noted_failure(const noted_failure&) = delete;
  noted_failure& operator=(const noted_failure&) = delete;

 private:
  output* output_;
  int before_;
};

/// A `py_writer` is a writer and its output.
class py_writer {
 public:
  /// Everything is checked before a file is created.
  py_writer(nb::handle target, const output_options& how, keywords options) : options_(take_message_options(options)) {
    require_none(options);
    output_ = std::make_unique<output>(target, how);
    options_.start_offset = output_->position();
    tgmap::failure why;
    writer_.emplace(output_->sink(), options_, why);
    raise_if(why);
  }

  void write(nb::handle objects, nb::handle metadata, keywords options) {
    const noted_failure noted(*output_);
    const new_content content = to_content(objects, metadata, options, options_.version);
    run(content.bytes > long_work_bytes, [&](tgmap::failure& why) { writer_->write(content.message, why); });
  }

  void write_message(const py_message& message, nb::handle metadata, const keywords& options) {
    const noted_failure noted(*output_);
    if (!metadata.is_none()) throw nb::type_error("a message is copied as it is; it takes no metadata");
    require_none(options);
    run(message.handle.length() > long_work_bytes, [&](tgmap::failure& why) { writer_->write(message.handle, why); });
  }

  /// Refuses arguments that are not those of a message.
  [[noreturn]] void refuse() {
    const noted_failure noted(*output_);
    throw nb::type_error("write() takes a message of an archive, or objects; then metadata, and options by name");
  }

  void flush(bool syncs) {
    const exclusive_use alone(mutex_);
    require_open();
    output_->flush(syncs);
  }

  /// Without `keep`, a file that would be replaced stays.
  void close(bool keep) {
    const exclusive_use alone(mutex_);
    if (is_closed_) return;
    is_closed_ = true;
    keep ? output_->close() : output_->abandon();
  }

  bool is_closed() const noexcept { return is_closed_; }
  std::uint64_t messages() const noexcept { return writer_->messages(); }
  std::uint64_t size_bytes() const noexcept { return writer_->bytes_written(); }
  nb::object path() const { return path_object(output_->path()); }

  /// Visits what it refers to, for the garbage collector: a file object may refer to its writer.
  int visit(visitproc visit, void* arg) const {
    Py_VISIT(output_->file().ptr());
    return 0;
  }

 private:
  template <class Work>
  void run(bool is_long, Work&& work) {
    const exclusive_use alone(mutex_);
    require_open();
    tgmap::failure why;
    without_lock(is_long, [&] { work(why); });
    output_->raise_if(why);
  }

  void require_open() const {
    if (is_closed_) throw nb::value_error("the writer is closed");
  }

  use_mutex mutex_{};
  tgmap::write_options options_;
  std::unique_ptr<output> output_;
  std::optional<tgmap::writer> writer_{};
  bool is_closed_ = false;
};

nb::object encode(nb::handle objects, nb::handle metadata, nb::kwargs given) {
  keywords options(std::move(given));
  const tgmap::write_options how = take_message_options(options);
  const new_content content = to_content(objects, metadata, options, how.version);
  tgmap::failure why;
  bytes_sink out;
  without_lock(content.bytes > long_work_bytes, [&] {
    tgmap::writer to(out, how, why);
    if (!why) to.write(content.message, why);
  });
  raise_if(why);
  return out.release();
}

}  // namespace

void register_writer(nb::module_& m) {
  m.def("encode", encode, "objects"_a, "metadata"_a = nb::none(), "options"_a);

  static PyType_Slot slots[]{{Py_tp_traverse, reinterpret_cast<void*>(traverse<py_writer>)}, {0, nullptr}};
  nb::class_<py_writer>(m, "Writer", nb::type_slots(slots))
      .def(
          "__init__",
          [](py_writer* self, nb::handle target, bool seeks, argument<bool> exclusive, argument<bool> sync,
             nb::kwargs options) {
            new (self) py_writer(target, {seeks, exclusive, sync}, keywords(std::move(options)));
          },
          "target"_a, "seeks"_a, "exclusive"_a, "sync"_a, "options"_a)
      .def(
          "write",
          [](py_writer& self, const py_message& message, nb::handle metadata, nb::kwargs options) {
            self.write_message(message, metadata, keywords(std::move(options)));
          },
          "message"_a, "metadata"_a = nb::none(), "options"_a, "Copy a message of an archive byte for byte.")
      .def(
          "write",
          [](py_writer& self, nb::handle objects, nb::handle metadata, nb::kwargs pipeline) {
            self.write(objects, metadata, keywords(std::move(pipeline)));
          },
          "objects"_a, "metadata"_a = nb::none(), "pipeline"_a,
          "Write one message. If the message is at fault, nothing was written, and the next one may be.\n\n"
          "Args:\n"
          "    objects: an array, a NewObject, an Object of an archive, or a list of them.\n"
          "    metadata: keys of the whole message.\n"
          "    pipeline: how arrays are encoded; see tgmap.encode.")
      .def("write", [](py_writer& self, nb::args, nb::kwargs) { self.refuse(); })
      .def(
          "flush", [](py_writer& self, argument<bool> sync) { self.flush(sync); }, nb::kw_only(), "sync"_a = false,
          "Give all bytes to the operating system; with `sync` wait until they are on the disk.")
      .def(
          "close", [](py_writer& self) { self.close(true); },
          "Write what is buffered and close the file. An older file of this name is replaced now, unless bytes could "
          "not be written. A message that was refused is not in the new file.")
      .def(
          "abandon", [](py_writer& self) { self.close(false); },
          "Close the file and keep an older one that it would replace. A file of a new name keeps what was written.")
      .def_prop_ro("is_closed", &py_writer::is_closed)
      .def_prop_ro("messages", &py_writer::messages, "Number of messages written.")
      .def_prop_ro("nbytes", &py_writer::size_bytes, "Number of bytes written.")
      .def_prop_ro("path", &py_writer::path, "The path; empty for other targets.")
      .def("__enter__", [](nb::handle self) { return self; })
      .def(
          "__exit__", [](py_writer& self, nb::handle type, nb::handle, nb::handle) { self.close(type.is_none()); },
          "type"_a.none(), "value"_a.none(), "traceback"_a.none());
}

}  // namespace tgmap_python

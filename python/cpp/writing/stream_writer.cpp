// SPDX-License-Identifier: Apache-2.0
// Writing one message object by object, to a file of its own or to the end of an archive.
#include <tgmap/write/stream_writer.hpp>

#include "cpp/arrays/input_array.hpp"
#include "cpp/interpreter/scalars.hpp"
#include "cpp/metadata/cbor.hpp"
#include "cpp/writing/appender.hpp"
#include "cpp/writing/message_options.hpp"
#include "cpp/writing/output.hpp"

namespace tgmap_python {
namespace {

std::vector<std::uint64_t> to_shape(nb::handle shape) {
  const auto extent = [](nb::handle each) {
    return static_cast<std::uint64_t>(to_integer(each, "an extent of the shape", 0, INT64_MAX));
  };
  std::vector<std::uint64_t> out;
  const nb::object one = to_scalar(shape);
  if (PyBytes_Check(one.ptr()) || PyUnicode_Check(one.ptr()) || PyByteArray_Check(one.ptr()) ||
      nb::isinstance(one, from_package("collections.abc", "Mapping")) ||
      nb::isinstance(one, from_package("collections.abc", "Set")))
    throw nb::type_error("a shape must be an integer or a sequence of integers");
  if (PyLong_Check(one.ptr()))
    out.push_back(extent(one));
  else
    for (nb::handle each : nb::borrow<nb::object>(shape)) out.push_back(extent(each));
  return out;
}

/// A `py_stream_writer` is a stream_writer with an output of its own, or that of an appender.
class py_stream_writer {
 public:
  /// Everything is checked before a file is created.
  py_stream_writer(nb::handle target, const output_options& opened, nb::handle metadata, keywords options) {
    tgmap::write_options how = take_message_options(options);
    require_none(options);
    const tgmap::cbor_value extra = to_cbor_map(metadata, "metadata");
    tgmap::failure refused;
    tgmap::memory_sink probe;
    const tgmap::stream_writer begun(probe, extra, how, refused);
    raise_if(refused, std::string());
    output_ = std::make_unique<output>(target, opened);
    how.start_offset = output_->position();
    version_ = how.version;
    tgmap::failure why;
    own_.emplace(output_->sink(), extra, how, why);
    output_->raise_if(why);
    writer_ = &*own_;
  }
  py_stream_writer(nb::object appender, nb::handle metadata)
      : appender_object_(std::move(appender)),
        appender_(&require<py_appender>(appender_object_, "a stream needs an open appender")) {
    version_ = appender_->version();
    writer_ = &appender_->begin_stream(to_cbor_map(metadata, "metadata"));
  }

  void write(nb::handle one, nb::handle metadata, keywords options) {
    new_content content;
    if (metadata.is_none()) {
      content = to_content(one, nb::none(), options, version_);
    } else {
      const pipeline_options how = take_pipeline(options);
      if (!is_array_like(one)) throw nb::type_error("metadata applies to arrays only; a NewObject has its own");
      py_new_object made = make_new_object(one, nb::none(), {.metadata = nb::borrow(metadata)}, how);
      content.bytes = made.content.data.size();
      content.owners.push_back(std::move(made.owner));
      content.message.objects.emplace_back(std::move(made.content));
    }
    for (const auto& object : content.message.objects)
      run(content.bytes > long_work_bytes,
          [&](auto& to, auto& why) { std::visit([&](const auto& each) { to.write(each, why); }, object); });
  }

  void begin_object(nb::handle shape, nb::handle dtype, const object_keys& keys, keywords options) {
    tgmap::new_object what = describe_object(keys, take_pipeline(options));
    what.dtype = to_dtype(dtype);
    what.shape = to_shape(shape);
    run(false, [&](auto& to, auto& why) { to.begin_object(what, why); });
    open_dtype_ = what.dtype;
  }

  void append(nb::handle array) {
    if (!open_dtype_) throw nb::value_error("no object was begun");
    const input_array elements = dense_elements_of(array, *open_dtype_);
    run(elements.data.size() > long_work_bytes, [&](auto& to, auto& why) { to.append_elements(elements.data, why); });
  }

  void end_object() {
    run(false, [](auto& to, auto& why) { to.end_object(why); });
    open_dtype_.reset();
  }

  void finish(argument<bool> backfill) {
    run(true, [&](auto& to, auto& why) { to.finish(backfill, why); });
    is_finished_ = true;
  }

  /// Closes the output. `keep`: the message is finished first unless that was done. Without it the message stays
  /// incomplete in a new file, and an older file stays as it is; of an appender it is cut off, and the appender is
  /// closed.
  void close(bool keep) {
    if (is_closed()) return;
    {
      const exclusive_use alone(mutex());
      if (is_closed()) return;  // by another thread
      if (keep && !is_finished_) run_locked(true, [](auto& to, auto& why) { to.finish(true, why); });
      writer_ = nullptr;
    }
    if (output_) {
      const exclusive_use alone(mutex_);
      keep ? output_->close() : output_->abandon();
    } else if (keep) {
      appender_->end_stream();
    } else {
      appender_->close();
    }
  }

  bool is_closed() const noexcept { return writer_ == nullptr || (appender_ != nullptr && appender_->is_closed()); }
  std::size_t objects() const noexcept { return objects_; }

  /// Visits what it refers to, for the garbage collector: a file object may refer to its writer.
  int visit(visitproc visit, void* arg) const {
    if (output_) Py_VISIT(output_->file().ptr());
    Py_VISIT(appender_object_.ptr());
    return 0;
  }

 private:
  use_mutex& mutex() noexcept { return appender_ != nullptr ? appender_->mutex() : mutex_; }

  template <class Work>
  void run(bool is_long, Work&& work) {
    const exclusive_use alone(mutex());
    if (is_closed()) throw nb::value_error("the stream is closed");
    run_locked(is_long, work);
  }

  template <class Work>
  void run_locked(bool is_long, Work&& work) {
    tgmap::failure why;
    without_lock(is_long, [&] { work(*writer_, why); });
    objects_ = writer_->objects();
    if (output_) output_->raise_if(why);
    raise_if(why, appender_ != nullptr ? appender_->path() : std::string());
  }

  use_mutex mutex_{};
  std::unique_ptr<output> output_{};
  std::optional<tgmap::stream_writer> own_{};
  nb::object appender_object_{};
  py_appender* appender_ = nullptr;
  tgmap::stream_writer* writer_ = nullptr;  // null once it is closed
  std::optional<tgmap::dtype> open_dtype_{};
  std::size_t objects_ = 0;
  int version_ = 3;
  bool is_finished_ = false;
};

}  // namespace

void register_stream_writer(nb::module_& m) {
  static PyType_Slot slots[]{{Py_tp_traverse, reinterpret_cast<void*>(traverse<py_stream_writer>)}, {0, nullptr}};
  nb::class_<py_stream_writer>(m, "StreamWriter", nb::type_slots(slots))
      .def(
          "__init__",
          [](py_stream_writer* self, nb::handle target, bool seeks, argument<bool> exclusive, argument<bool> sync,
             nb::handle metadata, nb::kwargs options) {
            new (self) py_stream_writer(target, {seeks, exclusive, sync}, metadata, keywords(std::move(options)));
          },
          "target"_a, "seeks"_a, "exclusive"_a, "sync"_a, "metadata"_a.none(), "options"_a)
      .def(
          "__init__",
          [](py_stream_writer* self, nb::handle_t<py_appender> appender, nb::handle metadata) {
            new (self) py_stream_writer(nb::borrow(appender), metadata);
          },
          "appender"_a, "metadata"_a.none())
      .def(
          "write",
          [](py_stream_writer& self, nb::handle objects, nb::handle metadata, nb::kwargs pipeline) {
            self.write(objects, metadata, keywords(std::move(pipeline)));
          },
          "objects"_a, "metadata"_a = nb::none(), "pipeline"_a,
          "Write an object, or each of a list. One that is refused leaves the stream unchanged.\n\n"
          "Args:\n"
          "    objects: an array, a NewObject, an Object of an archive, or a list of them.\n"
          "    metadata: keys of this object alone, for an array.\n"
          "    pipeline: how arrays are encoded; see tgmap.encode.")
      .def(
          "begin_object",
          [](py_stream_writer& self, nb::handle shape, nb::handle dtype, nb::object metadata, std::string type,
             nb::object descriptor, argument<bool> preceder, nb::kwargs pipeline) {
            self.begin_object(shape, dtype, {std::move(metadata), std::move(type), std::move(descriptor), preceder},
                              keywords(std::move(pipeline)));
          },
          "shape"_a, "dtype"_a, "metadata"_a = nb::none(), nb::kw_only(), "type"_a = "ntensor",
          "descriptor"_a = nb::none(), "preceder"_a = false, "pipeline"_a,
          "Begin an object whose elements come in pieces. The pipeline has no filter, compression or masks, and either "
          "no encoding or simple_packing with reference and binary_scale.")
      .def("append", &py_stream_writer::append, "elements"_a,
           "Append elements of the object that was begun, in C order: any array of its dtype.")
      .def("end_object", &py_stream_writer::end_object, "End the object after its last element.")
      .def("finish", &py_stream_writer::finish, "backfill"_a = true,
           "Finish the message. With `backfill` also write its length at the beginning, if the file can seek.")
      .def(
          "close", [](py_stream_writer& self) { self.close(true); },
          "Finish the message unless that was done, and close the file. An older file of this name is replaced now, "
          "unless bytes could not be written. An object that was refused is not in the new file.")
      .def(
          "abort", [](py_stream_writer& self) { self.close(false); },
          "Close the file without finishing the message: readers find its whole objects. An older file that it would "
          "replace stays. Of an appender: cut the message off and close the appender.")
      .def_prop_ro("is_closed", &py_stream_writer::is_closed)
      .def_prop_ro("objects", &py_stream_writer::objects, "Number of whole objects written.")
      .def("__enter__", [](nb::handle self) { return self; })
      .def(
          "__exit__",
          [](py_stream_writer& self, nb::handle type, nb::handle, nb::handle) { self.close(type.is_none()); },
          "type"_a.none(), "value"_a.none(), "traceback"_a.none());
}

}  // namespace tgmap_python

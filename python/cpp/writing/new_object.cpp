// SPDX-License-Identifier: Apache-2.0
#include "cpp/writing/new_object.hpp"

#include "cpp/arrays/input_array.hpp"
#include "cpp/arrays/numpy.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/scalars.hpp"
#include "cpp/metadata/cbor.hpp"

namespace tgmap_python {

tgmap::new_object describe_object(const object_keys& keys, const pipeline_options& how) {
  tgmap::new_object out;
  out.stored_byte_order = how.stored_byte_order;
  out.pipeline = how.pipeline;
  out.base = to_cbor_map(keys.metadata, "metadata");
  out.descriptor_extra = to_cbor_map(keys.descriptor, "descriptor");
  out.type = keys.type;
  out.preceder = keys.preceder;
  return out;
}

py_new_object make_new_object(nb::handle array, nb::handle dtype, const object_keys& keys,
                              const pipeline_options& how) {
  py_new_object out;
  out.content = describe_object(keys, how);
  input_array elements = elements_of(array, dtype);
  out.content.data = elements.data;
  out.content.dtype = elements.dtype;
  out.content.shape = std::move(elements.shape);
  out.content.strides = std::move(elements.strides);
  out.content.data_offset = elements.data_offset;
  out.content.byte_order = elements.order;
  out.owner = std::move(elements.owner);
  raise_if(tgmap::validate_pipeline(out.content.pipeline, out.content.dtype));
  return out;
}

namespace {

py_stored_object make_stored_object(nb::handle descriptor, nb::handle payload, nb::handle metadata, bool preceder) {
  py_stored_object out;
  out.content.descriptor = to_cbor_map(descriptor, "descriptor");
  out.content.base = to_cbor_map(metadata, "metadata");
  out.content.preceder = preceder;
  input_buffer bytes = bytes_of(payload);
  out.content.payload_and_masks = bytes.bytes;
  out.owner = std::move(bytes.owner);
  return out;
}

/// Adds one object of `to_content`. Returns true if it is an array, which takes the pipeline.
bool add_object(nb::handle value, const pipeline_options& how, int version, tgmap::on_mismatch mismatch,
                new_content& out) {
  if (py_new_object* made = nullptr; nb::try_cast(value, made) && made != nullptr) {
    out.bytes += made->content.data.size();
    out.message.objects.emplace_back(made->content);
    return false;
  }
  if (py_stored_object* stored = nullptr; nb::try_cast(value, stored) && stored != nullptr) {
    out.bytes += stored->content.payload_and_masks.size();
    out.message.objects.emplace_back(stored->content);
    return false;
  }
  if (py_object* copied = nullptr; nb::try_cast(value, copied) && copied != nullptr) {
    tgmap::failure why;
    auto stored = tgmap::stored_object::of(copied->place.message(), copied->place.index(), version, mismatch, why);
    raise_if(why);
    out.bytes += copied->handle().payload_size();
    out.message.objects.emplace_back(std::move(stored));
    return false;
  }
  if (!is_array_like(value))
    throw nb::type_error(("cannot write " + nb::cast<std::string>(value.type().attr("__name__")) +
                          " as an object; pass an array, a NewObject, or a list of them")
                             .c_str());
  py_new_object made = make_new_object(value, nb::none(), {}, how);
  out.bytes += made.content.data.size();
  out.owners.push_back(std::move(made.owner));
  out.message.objects.emplace_back(std::move(made.content));
  return true;
}

}  // namespace

new_content to_content(nb::handle objects, nb::handle metadata, keywords& options, int version) {
  new_content out;
  out.message.extra = to_cbor_map(metadata, "metadata");
  bool takes_damaged = false;
  options.take("take_damaged", takes_damaged);
  const auto mismatch = takes_damaged ? tgmap::on_mismatch::take : tgmap::on_mismatch::refuse;
  const std::string first = options.first();
  const pipeline_options how = take_pipeline(options);
  bool has_array = false;
  if (PyList_Check(objects.ptr()) || PyTuple_Check(objects.ptr()))
    for (nb::handle each : nb::borrow<nb::object>(objects)) {
      has_array |= add_object(each, how, version, mismatch, out);
      out.owners.push_back(nb::borrow(each));
    }
  else
    has_array = add_object(objects, how, version, mismatch, out);
  if (!first.empty() && !has_array)
    throw nb::type_error((first + " applies to arrays only; a NewObject has its own pipeline").c_str());
  return out;
}

void register_new_object(nb::module_& m) {
  nb::class_<py_new_object>(
      m, "NewObject",
      "NewObject(array, metadata=None, *, dtype=None, type='ntensor', descriptor=None, preceder=False, **pipeline)\n\n"
      "An array that is to be written, with its own keys and pipeline. It keeps the array and reads it when it is "
      "written, without the lock of the interpreter: no other thread may change it meanwhile.\n\n"
      "Args:\n"
      "    array: any array, or what NumPy makes an array of. bool becomes a bitmask.\n"
      "    metadata: keys of this object alone.\n"
      "    dtype: a name of the format or a dtype of NumPy that elements are converted to. 'bfloat16' takes uint16 as "
      "bits.\n"
      "    type: type of the object in its descriptor.\n"
      "    descriptor: further keys of the descriptor.\n"
      "    preceder: in a stream, also write the metadata in front of the object.\n"
      "    pipeline: see tgmap.encode.\n\n"
      "Raises:\n"
      "    TypeError: the format has no such elements, or a keyword is not used.\n"
      "    Error: the stages of the pipeline do not fit each other or the elements.")
      .def(
          "__init__",
          [](py_new_object* self, nb::handle array, nb::object metadata, nb::handle dtype, std::string type,
             nb::object descriptor, argument<bool> preceder, nb::kwargs pipeline) {
            keywords options(std::move(pipeline));
            const pipeline_options how = take_pipeline(options);
            new (self) py_new_object(make_new_object(
                array, dtype, {std::move(metadata), std::move(type), std::move(descriptor), preceder}, how));
          },
          "array"_a, "metadata"_a = nb::none(), nb::kw_only(), "dtype"_a = nb::none(), "type"_a = "ntensor",
          "descriptor"_a = nb::none(), "preceder"_a = false, "pipeline"_a)
      .def_prop_ro(
          "shape", [](const py_new_object& self) { return to_tuple<std::uint64_t>(self.content.shape); },
          "Extents, slowest first.")
      .def_prop_ro(
          "dtype", [](const py_new_object& self) { return tgmap::to_string_view(self.content.dtype); },
          "Name of the dtype in the format.")
      .def("__repr__", [](const py_new_object& self) {
        return "<NewObject: " + std::string(tgmap::to_string_view(self.content.dtype)) + " " +
               nb::cast<std::string>(nb::repr(to_tuple<std::uint64_t>(self.content.shape))) + ">";
      });

  nb::class_<py_stored_object>(
      m, "StoredObject",
      "An object that is encoded already: its descriptor and its stored bytes. Both are written unchanged, and are "
      "only "
      "partly checked.\n\n"
      "Args:\n"
      "    descriptor: every key of the descriptor, such as type, dtype, shape and the parameters of its stages.\n"
      "    payload: the stored bytes, then those of the masks; any object with a buffer.\n"
      "    metadata: keys of this object alone.\n"
      "    preceder: in a stream, also write the metadata in front of the object.")
      .def(
          "__init__",
          [](py_stored_object* self, nb::handle descriptor, nb::handle payload, nb::handle metadata,
             argument<bool> preceder) {
            new (self) py_stored_object(make_stored_object(descriptor, payload, metadata, preceder));
          },
          "descriptor"_a, "payload"_a, "metadata"_a = nb::none(), nb::kw_only(), "preceder"_a = false);
}

}  // namespace tgmap_python

// SPDX-License-Identifier: Apache-2.0
#include <tgmap/object.hpp>

#include <algorithm>
#include <array>

#include <tgmap/untyped_view.hpp>

#include "cpp/arguments/threads.hpp"
#include "cpp/arrays/dlpack.hpp"
#include "cpp/arrays/numpy.hpp"
#include "cpp/arrays/ranges.hpp"
#include "cpp/arrays/subscript.hpp"
#include "cpp/handles/handles.hpp"
#include "cpp/handles/limits.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/scalars.hpp"

namespace tgmap_python {
namespace {

/// How an object is decoded, as callers say it.
struct decoding {
  bool restore_missing = true, verify = false, ignore_strides = false;
  unsigned threads = 1;

  tgmap::decode_options options() const {
    tgmap::decode_options out;
    out.restore_missing = restore_missing;
    out.verify = verify;
    if (ignore_strides) out.strides = tgmap::stride_policy::ignore;
    if (threads != 1) out.executor = &executor_of(threads);
    return out;
  }
};

/// Returns whether NumPy has no dtype for these elements: bits, and bfloat16 in foreign byte order.
bool needs_conversion(tgmap::dtype type, tgmap::byte_order order) noexcept {
  return type == tgmap::dtype::bitmask || (type == tgmap::dtype::bfloat16 && order != tgmap::native_byte_order);
}

/// Returns the elements in the mapping, in the byte order and the order of axes that they are stored in.
nb::object array_in_place(py_object& o, tgmap::failure& why) {
  if (!o.from->has_bytes_in_place()) {
    why = {.code = tgmap::errc::not_mapped, .offset = o.handle().payload_offset()};
    return {};
  }
  if ((why = o.from->archive.check_not_truncated(o.handle()))) return {};
  if (!o.viewed) {
    const tgmap::untyped_view view = tgmap::view_untyped(o.handle(), why);
    if (why || needs_conversion(view.dtype, view.byte_order)) return {};
    o.viewed = std::make_shared<const tgmap::untyped_view>(view);
  }
  const tgmap::untyped_view& view = *o.viewed;
  return borrowed_array(view.bytes, view.dtype, view.byte_order, view.shape(), view.strides(), o.from.owner());
}

nb::object view(py_object& o) {
  tgmap::failure why;
  nb::object out = array_in_place(o, why);
  raise_if(why);
  if (!out) throw nb::value_error("NumPy has no dtype for the stored elements; use array or decode()");
  return out;
}

/// Decodes a bitmask, whose elements NumPy does not have, to one byte an element in `out`.
nb::object decode_bits(py_object& o, nb::handle out, const tgmap::decode_options& options) {
  const tgmap::descriptor& d = o.descriptor();
  const std::span<std::byte> given = output_bytes(out, d.dtype, d.shape());
  tgmap::failure why;
  const tgmap::object from = o.handle();
  const tgmap::tensor bits = without_lock(true, [&] { return from.decode(options, why); });
  raise_if(why);
  std::array<std::int64_t, tgmap::max_rank> memory;
  if (!std::ranges::equal(bits.strides(), c_strides(bits.shape(), memory)))
    nb::module_::import_("numpy").attr("copyto")(out, bool_array(bits.bytes(), bits.shape(), bits.strides()));
  else
    expand_bits(bits.bytes(), given);
  return nb::borrow(out);
}

/// Larger arrays own the memory into which they were decoded. Copying smaller ones takes less time than an owner of
/// memory.
constexpr std::size_t small_array_bytes = std::size_t{4} << 10;

/// Returns whether decoding a payload may take long. Compressed, it may be much smaller than its elements, and without
/// bytes it is that of equal elements.
bool is_long_work(std::uint64_t payload) noexcept {
  constexpr std::uint64_t max_ratio = 16;
  return payload == 0 || payload > long_work_bytes / max_ratio;
}

/// Raises decoded_limit if the elements of a bitmask would take too much memory, as a byte each. The library, which
/// counts their bits, has then failed for another reason, or allocated no more than the limit.
void require_bits_within_limit(py_object& o) {
  tgmap::failure ignored;  // it was reported already
  std::shared_ptr<const tgmap::descriptor> what = o.parsed;
  if (!what) static_cast<void>(o.place.read(what, ignored));
  if (!what || what->dtype != tgmap::dtype::bitmask || what->element_count <= o.from->max_decoded) return;
  require_within_limit(o.from, o.handle(), what->element_count);
}

/// Returns a new array of decoded elements.
nb::object to_array(py_object& o, tgmap::tensor decoded) {
  if (decoded.dtype() == tgmap::dtype::bitmask) {  // NumPy has no bits: one byte an element
    if (decoded.size() > o.from->max_decoded) require_within_limit(o.from, o.handle(), decoded.size());
    return bool_array(decoded.bytes(), decoded.shape(), decoded.strides());
  }
  if (decoded.bytes().size() > small_array_bytes) return array_of_tensor(std::move(decoded));
  std::array<std::int64_t, tgmap::max_rank> dense;
  const bool is_c_order = std::ranges::equal(decoded.strides(), c_strides(decoded.shape(), dense));
  new_array copy = make_array(decoded.dtype(), decoded.byte_order(), decoded.shape(),
                              is_c_order ? std::span<const std::int64_t>() : decoded.strides());
  std::ranges::copy(decoded.bytes(), copy.bytes.begin());
  return std::move(copy.array);
}

nb::object decode(py_object& o, nb::handle out, const decoding& how) {
  const tgmap::decode_options options = how.options();
  tgmap::failure why;
  if (out.is_none()) {                           // nothing is known of the elements before the library has read them
    const tgmap::located_object from = o.place;  // a copy: another thread may set it
    const bool is_long = !from.is_read() || is_long_work(from.read().payload_size());
    tgmap::tensor decoded = without_lock(is_long, [&] { return from.decode(options, why); });
    if (why) require_bits_within_limit(o);
    raise_if(why);
    return to_array(o, std::move(decoded));
  }
  const tgmap::descriptor& d = o.descriptor();
  if (d.dtype == tgmap::dtype::bitmask) return decode_bits(o, out, options);
  const std::span<std::byte> given = output_bytes(out, d.dtype, d.shape());
  tgmap::failure unordered;
  std::array<std::int64_t, tgmap::max_rank> dense;
  if (!how.ignore_strides && !decoded_strides(d, dense, unordered).empty())
    throw nb::value_error("out is in C order, and the object is not");
  const tgmap::object from = o.handle();
  without_lock(is_long_work(from.payload_size()) || given.size() > long_work_bytes,
               [&] { from.decode_into(given, options, why); });
  raise_if(why);
  return nb::borrow(out);
}

nb::object array(py_object& o) {
  tgmap::failure why;
  nb::object out;
  if (o.from->has_bytes_in_place()) {
    static_cast<void>(o.handle());  // reads the descriptor, too, unless the object was used before
    if (!o.parsed || o.parsed->is_plain()) out = array_in_place(o, why);
  }
  return out.is_valid() && !why ? out : decode(o, nb::none(), {});
}

std::uint64_t item_size(nb::handle dtype) {
  return nb::cast<std::uint64_t>(from_package("numpy", "dtype")(dtype).attr("itemsize"));
}

nb::object as_array(py_object& o, nb::handle dtype, nb::handle copy) {
  if (!copy.is_none() && !to_bool(copy, "copy")) {
    nb::object in_place = view(o);
    if (dtype.is_none() || in_place.attr("dtype").equal(dtype)) return in_place;
    throw nb::value_error("another dtype needs a copy");
  }
  if (!dtype.is_none()) require_within_limit(o, 1, item_size(dtype));
  nb::object out = array(o);
  if (!dtype.is_none()) return out.attr("astype")(dtype, "copy"_a = !copy.is_none());
  return copy.is_none() ? out : out.attr("copy")();
}

/// Returns the stored bytes in the mapping; a copy if there is none.
nb::object payload(py_object& o) {
  tgmap::failure why;
  if (o.from->has_bytes_in_place()) {
    if (!(why = o.from->archive.check_not_truncated(o.handle()))) {
      const auto bytes = o.handle().payload(why);
      if (!why) return borrowed_bytes(bytes, o.from.owner());
    }
    raise_if(why);
  }
  const std::uint64_t size = o.handle().payload_size();
  const new_array copy = make_array(tgmap::dtype::uint8, tgmap::native_byte_order, std::span(&size, 1));
  without_lock(size > long_work_bytes, [&] { o.handle().read(0, copy.bytes, why); });
  raise_if(why);
  return borrowed_bytes(copy.bytes, copy.array);
}

nb::object verify(py_object& o) {
  tgmap::failure why;
  const tgmap::hash_result found =
      without_lock(o.handle().payload_size() > long_work_bytes, [&] { return o.handle().verify(why); });
  raise_if(why);
  if (found == tgmap::hash_result::match) return nb::bool_(true);
  return found == tgmap::hash_result::mismatch ? nb::object(nb::bool_(false)) : nb::object(nb::none());
}

/// Returns whether elements can be NaN or infinite. Masks of other ones are not read.
bool has_masks(tgmap::dtype type) {
  using enum tgmap::dtype;
  const auto all = {float16, bfloat16, float32, float64, complex64, complex128};
  return std::ranges::find(all, type) != all.end();
}

nb::dict masks(py_object& o) {
  tgmap::failure why;
  if (has_masks(o.descriptor().dtype)) require_within_limit(o, o.descriptor().mask_count, 1);
  const auto found = without_lock(o.handle().payload_size() > long_work_bytes, [&] { return o.handle().masks(why); });
  raise_if(why);
  nb::dict out;
  for (const tgmap::missing_mask& each : found) {
    const std::string_view kind = tgmap::to_string_view(each.kind());
    out[nb::str(kind.data(), kind.size())] = bool_array(each.bits(), o.descriptor().shape());
  }
  return out;
}

nb::tuple strides(py_object& o) {
  tgmap::failure why;
  std::array<std::int64_t, tgmap::max_rank> dense;
  const tgmap::descriptor& d = o.descriptor();
  auto found = decoded_strides(d, dense, why);
  raise_if(why);
  if (found.empty()) found = c_strides(d.shape(), dense);
  const auto item = std::max<std::size_t>(tgmap::element_size(d.dtype), 1);
  return to_tuple(std::span<const std::int64_t>(found), static_cast<std::int64_t>(item));
}

std::uint64_t nbytes(py_object& o) {
  const tgmap::descriptor& d = o.descriptor();
  return d.element_count * std::max<std::size_t>(tgmap::element_size(d.dtype), 1);
}

nb::object dtype_of(py_object& o) {
  const tgmap::descriptor& d = o.descriptor();
  const bool in_place = o.from->has_bytes_in_place() && d.is_plain() && !needs_conversion(d.dtype, d.byte_order);
  return numpy_dtype(d.dtype, in_place ? d.byte_order : tgmap::native_byte_order);
}

nb::object length(py_object& o) {
  if (o.descriptor().rank() == 0) throw nb::type_error("a scalar has no length");
  return nb::int_(o.descriptor().shape()[0]);
}

}  // namespace

void register_object(nb::module_& m) {
  nb::class_<py_object>(m, "Object", "One object of a message: a tensor and its description.")
      .def_prop_ro("array", array,
                   "The elements: in place if they are stored as they are, else decoded. Read-only in place.")
      .def("view", view, "Return the elements in place, read-only; raise Error if they must be decoded.")
      .def(
          "decode",
          [](py_object& self, nb::handle out, argument<unsigned> threads, argument<bool> restore_missing,
             argument<bool> verify_hash, argument<bool> ignore_strides) {
            return decode(self, out, {restore_missing, verify_hash, ignore_strides, threads});
          },
          "out"_a = nb::none(), nb::kw_only(), "threads"_a = 1, "restore_missing"_a = true, "verify"_a = false,
          "ignore_strides"_a = false,
          "Return the elements in a new array, or in `out`. `threads` of 0 uses all processors. `verify` compares the "
          "hash. `ignore_strides` takes the bytes in C order, whatever strides are stated.")
      .def(
          "__getitem__", [](py_object& self, nb::object key) { return part_of(self, key); }, "key"_a.none())
      .def(
          "cost", [](py_object& self, nb::object key) { return cost_of(self, key); }, "key"_a.none(),
          "Return how many bytes reading a part takes: (bytes_read, bytes_decoded, decodes_whole_object).")
      .def("ranges", ranges_of, "pairs"_a, nb::kw_only(), "threads"_a = 1, "restore_missing"_a = true,
           "verify"_a = false,
           "Return elements [first, first + count) of each pair (first, count) as flat arrays, in the order of the "
           "payload. Those of a bitmask are bytes of eight elements. Reads and decodes only what holds them, as far as "
           "the pipeline allows.")
      .def("__len__", length)
      .def("__bool__", [](const py_object&) { return true; })
      .def("__array__", as_array, "dtype"_a = nb::none(), "copy"_a = nb::none())
      .def("__dlpack__", to_dlpack, nb::kw_only(), "stream"_a = nb::none(), "max_version"_a = nb::none(),
           "dl_device"_a = nb::none(), "copy"_a = nb::none())
      .def("__dlpack_device__", [](const py_object&) { return nb::make_tuple(1, 0); })
      // Python 3.12 and newer call it for memoryview(object).
      .def("__buffer__",
           [](py_object& self, int) {
             PyObject* const view = PyMemoryView_FromObject(array(self).ptr());
             if (view == nullptr) throw nb::python_error();
             return nb::steal(view);
           })
      .def_prop_ro("shape", [](py_object& self) { return to_tuple(self.descriptor().shape()); })
      .def_prop_ro("dtype", dtype_of, "The dtype of `array`.")
      .def_prop_ro("ndim", [](py_object& self) { return self.descriptor().rank(); })
      .def_prop_ro(
          "size", [](py_object& self) { return self.descriptor().element_count; }, "Number of elements.")
      .def_prop_ro("nbytes", nbytes, "Bytes of `array`.")
      .def_prop_ro("strides", strides, "Strides of `array` in bytes.")
      .def_prop_ro(
          "index", [](const py_object& self) { return self.place.index(); }, "Number in its message.")
      .def_prop_ro("message",
                   [](py_object& self) {
                     return py_message{self.from, self.place.message()};
                   })
      .def_prop_ro(
          "descriptor",
          [](py_object& self) {
            self.descriptor();
            return py_descriptor{self.from, self.parsed};
          },
          "Description of the tensor: type, shape, pipeline.")
      .def_prop_ro(
          "metadata",
          [](py_object& self) {
            tgmap::failure why;
            const tgmap::metadata keys = self.handle().metadata(why);
            auto copy = why ? tgmap::metadata_copy() : tgmap::metadata_copy::of(keys, why);
            raise_if(why);
            return py_metadata{self.from, std::move(copy)};
          },
          "Keys of this object, and of the whole message.")
      .def("masks", masks,
           "Return where elements were NaN or infinite: a dict of 'nan', 'inf+', 'inf-' to bool arrays.")
      .def_prop_ro("payload", payload, "The stored bytes without masks: a read-only memoryview of the mapping.")
      .def_prop_ro(
          "frame_offset", [](py_object& self) { return self.handle().frame().offset(); },
          "Where the frame of the object begins in the archive, in bytes.")
      .def_prop_ro(
          "payload_offset", [](py_object& self) { return self.handle().payload_offset(); },
          "Where the stored bytes begin in the archive, in bytes.")
      .def_prop_ro(
          "stored_nbytes", [](py_object& self) { return self.handle().payload_and_masks_size(); },
          "Bytes of payload and masks in the archive.")
      .def("verify", verify, "Compare the bytes with the stored hash: True, False, or None without a hash.")
      .def("__reduce__",
           [](nb::handle self) { return call_python(from_package("tgmap._pickling", "reduce_object"), self); })
      .def_prop_ro("_opened", [](py_object& self) { return self.from.owner(); })
      .def("__repr__",
           [](nb::handle self) { return call_python(from_package("tgmap._printing.repr", "object"), self); })
      .def("_repr_html_",
           [](nb::handle self) { return call_python(from_package("tgmap._printing.repr", "object_html"), self); });
}

}  // namespace tgmap_python

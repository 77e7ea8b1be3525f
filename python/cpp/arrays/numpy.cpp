// SPDX-License-Identifier: Apache-2.0
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define NPY_TARGET_VERSION NPY_1_23_API_VERSION
#include "cpp/arrays/numpy.hpp"

#include <numpy/arrayobject.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <tgmap/options.hpp>
#include <vector>

#include "cpp/interpreter/errors.hpp"

namespace tgmap_python {
namespace {

/// Returns the number that NumPy has for a dtype in native byte order, or a negative number.
int type_number(tgmap::dtype type) {
  switch (type) {
    case tgmap::dtype::float16: return NPY_HALF;
    case tgmap::dtype::bfloat16: return -1;
    case tgmap::dtype::float32: return NPY_FLOAT;
    case tgmap::dtype::float64: return NPY_DOUBLE;
    case tgmap::dtype::complex64: return NPY_CFLOAT;
    case tgmap::dtype::complex128: return NPY_CDOUBLE;
    case tgmap::dtype::int8: return NPY_INT8;
    case tgmap::dtype::int16: return NPY_INT16;
    case tgmap::dtype::int32: return NPY_INT32;
    case tgmap::dtype::int64: return NPY_INT64;
    case tgmap::dtype::uint8: return NPY_UINT8;
    case tgmap::dtype::uint16: return NPY_UINT16;
    case tgmap::dtype::uint32: return NPY_UINT32;
    case tgmap::dtype::uint64: return NPY_UINT64;
    case tgmap::dtype::bitmask: return NPY_BOOL;
  }
  return -1;
}

nb::object opaque_dtype() { return nb::module_::import_("numpy").attr("dtype")("V2"); }

/// Returns bfloat16 of ml_dtypes, or two opaque bytes. Both have no other byte order than the native one.
nb::object bfloat16_dtype() {
  try {
    return nb::module_::import_("numpy").attr("dtype")(nb::module_::import_("ml_dtypes").attr("bfloat16"));
  } catch (nb::python_error& why) {
    if (!why.matches(PyExc_ImportError)) throw;
    return opaque_dtype();
  }
}

nb::object make_dtype(tgmap::dtype type, bool is_native) {
  if (type == tgmap::dtype::bfloat16) return is_native ? bfloat16_dtype() : opaque_dtype();
  PyArray_Descr* descr = PyArray_DescrFromType(type_number(type));
  if (descr != nullptr && !is_native) {
    PyArray_Descr* const native = descr;
    descr = PyArray_DescrNewByteorder(native, NPY_SWAP);
    Py_DECREF(native);
  }
  if (descr == nullptr) throw nb::python_error();
  return nb::steal(reinterpret_cast<PyObject*>(descr));
}

/// Returns a dtype that lives as long as the process, so that an array costs no lookup.
PyArray_Descr* cached_dtype(tgmap::dtype type, tgmap::byte_order order) {
  static std::array<PyObject*, 2 * tgmap::dtype_count> cache{};
  const bool is_native = order == tgmap::native_byte_order;
  PyObject*& known = cache[2 * static_cast<std::size_t>(type) + (is_native ? 1 : 0)];
  if (known == nullptr) known = make_dtype(type, is_native).release().ptr();
  return reinterpret_cast<PyArray_Descr*>(known);
}

struct numpy_layout {
  std::array<npy_intp, tgmap::max_rank> shape, strides;
  int rank = 0;
};

numpy_layout layout_of(std::size_t item, std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) {
  numpy_layout out;
  if (shape.size() > tgmap::max_rank) throw nb::value_error("more than 32 dimensions");
  out.rank = static_cast<int>(shape.size());
  npy_intp step = static_cast<npy_intp>(item);
  for (std::size_t i = shape.size(); i-- > 0;) {
    // NumPy counts bytes in signed numbers, also of arrays without elements.
    if (shape[i] > static_cast<std::uint64_t>(std::numeric_limits<npy_intp>::max() / step))
      raise_if({.code = tgmap::errc::shape_overflow});
    out.shape[i] = static_cast<npy_intp>(shape[i]);
    out.strides[i] = strides.empty() ? step : static_cast<npy_intp>(strides[i]) * static_cast<npy_intp>(item);
    step *= std::max<npy_intp>(out.shape[i], 1);
  }
  return out;
}

std::size_t item_size(tgmap::dtype type) { return std::max<std::size_t>(tgmap::element_size(type), 1); }

PyArrayObject* as_array(const nb::object& array) { return reinterpret_cast<PyArrayObject*>(array.ptr()); }

/// `data` of null: memory of NumPy.
nb::object array_of(void* data, tgmap::dtype type, tgmap::byte_order order, std::span<const std::uint64_t> shape,
                    std::span<const std::int64_t> strides) {
  numpy_layout layout = layout_of(item_size(type), shape, strides);
  PyArray_Descr* const descr = cached_dtype(type, order);
  Py_INCREF(descr);
  PyObject* const made =
      PyArray_NewFromDescr(&PyArray_Type, descr, layout.rank, layout.shape.data(),
                           data == nullptr && strides.empty() ? nullptr : layout.strides.data(), data, 0, nullptr);
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

}  // namespace

void import_numpy() {
  if (PyArray_ImportNumPyAPI() < 0) throw nb::python_error();
}

nb::object numpy_dtype(tgmap::dtype type, tgmap::byte_order order) {
  return nb::borrow(reinterpret_cast<PyObject*>(cached_dtype(type, order)));
}

nb::object borrowed_array(std::span<const std::byte> bytes, tgmap::dtype type, tgmap::byte_order order,
                          std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides,
                          nb::handle owner) {
  static const std::byte nothing{};  // NumPy would allocate for a null pointer
  const std::byte* const data = bytes.empty() ? &nothing : bytes.data();
  nb::object out = array_of(const_cast<std::byte*>(data), type, order, shape, strides);  // never written to
  if (PyArray_SetBaseObject(as_array(out), owner.inc_ref().ptr()) < 0) throw nb::python_error();
  return out;
}

new_array make_array(tgmap::dtype type, tgmap::byte_order order, std::span<const std::uint64_t> shape,
                     std::span<const std::int64_t> strides) {
  nb::object out;
  if (strides.empty()) {
    out = array_of(nullptr, type, order, shape, {});
  } else {
    // An array in C order of the axes as they are stored, which is then transposed back.
    std::vector<std::size_t> axes(shape.size());
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = i;
    std::ranges::stable_sort(axes, [&](std::size_t a, std::size_t b) { return strides[a] > strides[b]; });
    std::vector<std::uint64_t> stored;
    std::vector<npy_intp> back(axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
      stored.push_back(shape[axes[i]]);
      back[axes[i]] = static_cast<npy_intp>(i);
    }
    const nb::object in_order = array_of(nullptr, type, order, stored, {});
    PyArray_Dims permutation{back.data(), static_cast<int>(back.size())};
    out = nb::steal(PyArray_Transpose(as_array(in_order), &permutation));
    if (!out) throw nb::python_error();
  }
  const std::span bytes(static_cast<std::byte*>(PyArray_DATA(as_array(out))),
                        static_cast<std::size_t>(PyArray_NBYTES(as_array(out))));
  return {std::move(out), bytes};
}

nb::object array_of_tensor(tgmap::tensor decoded) {
  auto kept = std::make_unique<tgmap::tensor>(std::move(decoded));
  nb::object out =
      array_of(kept->mutable_bytes().data(), kept->dtype(), kept->byte_order(), kept->shape(), kept->strides());
  nb::object owner = nb::capsule(kept.get(), [](void* at) noexcept { delete static_cast<tgmap::tensor*>(at); });
  kept.release();
  if (PyArray_SetBaseObject(as_array(out), owner.release().ptr()) < 0) throw nb::python_error();
  PyArray_ENABLEFLAGS(as_array(out), NPY_ARRAY_WRITEABLE);
  return out;
}

void expand_bits(std::span<const std::byte> bits, std::span<std::byte> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (bits[i / 8] >> (7 - i % 8)) & std::byte{1};
}

nb::object bool_array(std::span<const std::byte> bits, std::span<const std::uint64_t> shape,
                      std::span<const std::int64_t> strides) {
  new_array out = make_array(tgmap::dtype::bitmask, tgmap::native_byte_order, shape, strides);
  expand_bits(bits, out.bytes);
  return std::move(out.array);
}

nb::object borrowed_bytes(std::span<const std::byte> bytes, nb::handle owner) {
  const std::uint64_t size = bytes.size();
  const nb::object array =
      borrowed_array(bytes, tgmap::dtype::uint8, tgmap::native_byte_order, std::span(&size, 1), {}, owner);
  PyObject* const view = PyMemoryView_FromObject(array.ptr());
  if (view == nullptr) throw nb::python_error();
  return nb::steal(view);
}

namespace {

/// Returns an array of this dtype and shape. Raises TypeError or ValueError if it is another one.
PyArrayObject* output_array(nb::handle array, tgmap::dtype type, std::span<const std::uint64_t> shape) {
  if (!PyArray_Check(array.ptr())) throw nb::type_error("out must be an array of NumPy");
  auto* const out = reinterpret_cast<PyArrayObject*>(array.ptr());
  if (!PyArray_EquivTypes(PyArray_DESCR(out), cached_dtype(type, tgmap::native_byte_order)))
    throw nb::type_error(("out must have the dtype " + std::string(tgmap::to_string_view(type))).c_str());
  const bool same_shape = static_cast<std::size_t>(PyArray_NDIM(out)) == shape.size() &&
                          std::equal(shape.begin(), shape.end(), PyArray_DIMS(out),
                                     [](std::uint64_t a, npy_intp b) { return a == static_cast<std::uint64_t>(b); });
  if (!same_shape) throw nb::value_error("out must have the shape of the result");
  return out;
}

}  // namespace

strided_array strided_output(nb::handle array, tgmap::dtype type, std::span<const std::uint64_t> shape) {
  PyArrayObject* const out = output_array(array, type, shape);
  if (!PyArray_ISWRITEABLE(out)) throw nb::value_error("out must be writable");
  const npy_intp* const strides = PyArray_STRIDES(out);
  return {nb::borrow(array), static_cast<std::byte*>(PyArray_DATA(out)), {strides, strides + shape.size()}};
}

std::span<std::byte> output_bytes(nb::handle array, tgmap::dtype type, std::span<const std::uint64_t> shape) {
  PyArrayObject* const out = output_array(array, type, shape);
  if (!PyArray_ISCARRAY(out)) throw nb::value_error("out must be writable, aligned and in C order");
  return {static_cast<std::byte*>(PyArray_DATA(out)), static_cast<std::size_t>(PyArray_NBYTES(out))};
}

input_buffer bytes_of(nb::handle buffer) {
  // NumPy reads buffers; the stable interface of Python 3.10 cannot.
  nb::object array = nb::module_::import_("numpy").attr("frombuffer")(buffer, "u1");
  auto* const bytes = as_array(array);
  const std::span<const std::byte> all(static_cast<const std::byte*>(PyArray_DATA(bytes)),
                                       static_cast<std::size_t>(PyArray_NBYTES(bytes)));
  return {std::move(array), all};
}

}  // namespace tgmap_python

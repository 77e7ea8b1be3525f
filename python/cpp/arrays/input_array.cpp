// SPDX-License-Identifier: Apache-2.0
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define NPY_TARGET_VERSION NPY_1_23_API_VERSION
#include "cpp/arrays/input_array.hpp"

#include <numpy/arrayobject.h>

#include <algorithm>
#include <optional>
#include <string>

#include "cpp/arrays/numpy.hpp"
#include "cpp/handles/readable_memory.hpp"
#include "cpp/interpreter/text.hpp"

namespace tgmap_python {
namespace {

PyArrayObject* as_array(const nb::object& array) { return reinterpret_cast<PyArrayObject*>(array.ptr()); }

nb::object numpy(const char* name) { return from_package("numpy", name); }

std::string name_of(nb::handle dtype) { return nb::cast<std::string>(nb::str(dtype)); }

/// Returns the dtype of elements of NumPy, or nothing if the format has none for them.
std::optional<tgmap::dtype> known_dtype(nb::handle dtype) {
  const auto* const descr = reinterpret_cast<const PyArray_Descr*>(dtype.ptr());
  if (descr->type_num >= NPY_USERDEF)
    return name_of(dtype) == "bfloat16" ? std::optional(tgmap::dtype::bfloat16) : std::nullopt;
  using enum tgmap::dtype;
  const auto of_size = [size = PyDataType_ELSIZE(descr)](std::initializer_list<std::pair<int, tgmap::dtype>> known) {
    for (const auto& [bytes, type] : known)
      if (bytes == size) return std::optional(type);
    return std::optional<tgmap::dtype>();
  };
  switch (descr->kind) {
    case 'b': return bitmask;
    case 'i': return of_size({{1, int8}, {2, int16}, {4, int32}, {8, int64}});
    case 'u': return of_size({{1, uint8}, {2, uint16}, {4, uint32}, {8, uint64}});
    case 'f': return of_size({{2, float16}, {4, float32}, {8, float64}});
    case 'c': return of_size({{8, complex64}, {16, complex128}});
    default: return std::nullopt;
  }
}

tgmap::dtype require_dtype(nb::handle dtype) {
  const auto found = known_dtype(dtype);
  if (found) return *found;
  const char kind = reinterpret_cast<const PyArray_Descr*>(dtype.ptr())->kind;
  const char* const hint = kind == 'M' || kind == 'm' ? "; store array.view('int64') and its unit as metadata"
                           : kind == 'S'              ? "; use numpy.frombuffer for bytes"
                           : name_of(dtype) == "|V2"  ? "; if it is bfloat16, say dtype='bfloat16'"
                                                      : "";
  throw nb::type_error(("the format has no elements of dtype " + name_of(dtype) + hint).c_str());
}

/// Returns the dtype that has this name in the format. Returns nothing for any other value.
std::optional<tgmap::dtype> named_dtype(nb::handle dtype) {
  if (!PyUnicode_Check(dtype.ptr())) return std::nullopt;
  const auto name = utf8_of(dtype);
  return name ? tgmap::dtype_from_name(*name) : std::nullopt;
}

/// Returns a dtype of NumPy for what its constructor takes. A lone surrogate in a name is a TypeError, too.
nb::object dtype_of_numpy(nb::handle dtype) {
  if (PyUnicode_Check(dtype.ptr()) && !utf8_of(dtype))
    throw nb::type_error(("'" + shown(dtype) + "' is not a dtype").c_str());
  return numpy("dtype")(dtype);
}

/// Returns the dtype of NumPy that elements are to be converted to.
nb::object target_of(nb::handle dtype) {
  if (const auto known = named_dtype(dtype)) return numpy_dtype(*known);
  return dtype_of_numpy(dtype);
}

bool is_bfloat16(nb::handle dtype) { return named_dtype(dtype) == tgmap::dtype::bfloat16; }

nb::object convert(const nb::object& array, const nb::object& target) {
  const char from = PyArray_DESCR(as_array(array))->kind;
  const char to = reinterpret_cast<const PyArray_Descr*>(target.ptr())->kind;
  const bool is_real = from == 'f' && (to == 'f' || to == 'V');
  const char* const casting = is_real && to == 'V'                    ? "unsafe"
                              : is_real || (from == 'c' && to == 'c') ? "same_kind"
                                                                      : "safe";
  return array.attr("astype")(target, "casting"_a = casting, "copy"_a = false);
}

/// Returns a list as an array of a dtype. Raises TypeError for what arrays of the same kind raise it.
nb::object array_of_list(nb::handle list, nb::handle dtype) {
  const nb::object target = target_of(dtype);
  require_dtype(target);
  return call_python(from_package("tgmap._lists", "array_of"), list, target);
}

/// Checks that an array which borrows its memory can be read.
void check_borrowed(PyArrayObject* of) {
  if (PyArray_CHKFLAGS(of, NPY_ARRAY_OWNDATA) || PyArray_SIZE(of) == 0) return;
  npy_intp low = 0, high = PyArray_ITEMSIZE(of);  // of the bytes, from the first element
  for (int d = 0; d < PyArray_NDIM(of); ++d) {
    const npy_intp reach = PyArray_STRIDE(of, d) * (PyArray_DIM(of, d) - 1);
    (reach < 0 ? low : high) += reach;
  }
  for (PyObject* owner = reinterpret_cast<PyObject*>(of); owner != nullptr && PyArray_Check(owner);
       owner = PyArray_BASE(reinterpret_cast<PyArrayObject*>(owner)))
    if (PyArray_CHKFLAGS(reinterpret_cast<PyArrayObject*>(owner), NPY_ARRAY_OWNDATA)) return;
  require_readable({static_cast<const std::byte*>(PyArray_DATA(of)) + low, static_cast<std::size_t>(high - low)});
}

nb::object to_array(nb::handle value, nb::handle dtype) {
  const bool is_array = PyArray_Check(value.ptr());
  if (is_array && !PyArray_CheckExact(value.ptr()) && nb::isinstance(value, from_package("numpy.ma", "MaskedArray")))
    throw nb::type_error("a masked array has no place for its mask; store array.filled(nan) with allow_nan=True");
  if (!is_array && !dtype.is_none() && !is_array_like(value)) return array_of_list(value, dtype);
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()))
    call_python(from_package("tgmap._lists", "check_masks"), value);
  return call_python(numpy("asarray"), value);
}

/// Describes the memory of an array.
void describe(input_array& out, nb::object array) {
  const auto item = static_cast<npy_intp>(tgmap::element_size(out.dtype));
  auto* of = as_array(array);
  const auto fits = [&] {
    return std::all_of(PyArray_STRIDES(of), PyArray_STRIDES(of) + PyArray_NDIM(of),
                       [&](npy_intp stride) { return stride % item == 0; });
  };
  if (!PyArray_ISALIGNED(of) || (!PyArray_IS_C_CONTIGUOUS(of) && !fits())) {
    array = nb::steal(PyArray_NewCopy(of, NPY_CORDER));
    if (!array) throw nb::python_error();
    of = as_array(array);
  }
  out.order = PyArray_ISNOTSWAPPED(of)                                ? tgmap::native_byte_order
              : tgmap::native_byte_order == tgmap::byte_order::little ? tgmap::byte_order::big
                                                                      : tgmap::byte_order::little;
  const auto* const first = static_cast<const std::byte*>(PyArray_DATA(of));
  if (PyArray_IS_C_CONTIGUOUS(of) || PyArray_SIZE(of) == 0) {
    out.data = {first, static_cast<std::size_t>(PyArray_NBYTES(of))};
  } else {
    npy_intp low = 0, high = item;  // of the bytes, from the first element
    for (int d = 0; d < PyArray_NDIM(of); ++d) {
      const npy_intp stride = PyArray_STRIDE(of, d), reach = stride * (PyArray_DIM(of, d) - 1);
      (reach < 0 ? low : high) += reach;
      out.strides.push_back(stride / item);
    }
    out.data = {first + low, static_cast<std::size_t>(high - low)};
    out.data_offset = static_cast<std::uint64_t>(-low / item);
  }
  out.owner = std::move(array);
}

void set_shape(input_array& out, PyArrayObject* of) {
  for (int d = 0; d < PyArray_NDIM(of); ++d) out.shape.push_back(static_cast<std::uint64_t>(PyArray_DIM(of, d)));
}

void import_api() {
  if (PyArray_ImportNumPyAPI() < 0) throw nb::python_error();
}

}  // namespace

bool is_array_like(nb::handle value) {
  import_api();
  if (PyArray_Check(value.ptr()) || nb::hasattr(value, "__array__")) return true;
  const nb::object buffer = nb::steal(PyMemoryView_FromObject(value.ptr()));
  if (!buffer.is_valid()) PyErr_Clear();
  return buffer.is_valid();
}

tgmap::dtype to_dtype(nb::handle dtype) {
  import_api();
  if (const auto known = named_dtype(dtype)) return *known;
  return require_dtype(dtype_of_numpy(dtype));
}

input_array elements_of(nb::handle value, nb::handle dtype) {
  import_api();
  nb::object array = to_array(value, dtype);
  check_borrowed(as_array(array));
  input_array out;
  if (!dtype.is_none()) {
    const std::string stored = name_of(array.attr("dtype"));
    if (is_bfloat16(dtype) && (stored == "uint16" || stored == "|V2")) {
      out.dtype = tgmap::dtype::bfloat16;
      set_shape(out, as_array(array));
      describe(out, std::move(array));
      return out;
    }
    const nb::object target = target_of(dtype);
    require_dtype(target);
    array = convert(array, target);
  }
  out.dtype = require_dtype(array.attr("dtype"));
  set_shape(out, as_array(array));
  if (out.dtype == tgmap::dtype::bitmask) {
    const nb::object bits = numpy("packbits")(array);
    auto* const packed = as_array(bits);
    out.data = {static_cast<const std::byte*>(PyArray_DATA(packed)), static_cast<std::size_t>(PyArray_NBYTES(packed))};
    out.owner = bits;
  } else {
    describe(out, std::move(array));
  }
  return out;
}

input_array dense_elements_of(nb::handle value, tgmap::dtype type) {
  input_array out = elements_of(value, nb::none());
  if (type == tgmap::dtype::bfloat16 && (out.dtype == tgmap::dtype::uint16)) out.dtype = type;
  if (out.dtype != type)
    throw nb::type_error(("elements must have the dtype " + std::string(tgmap::to_string_view(type)) + ", not " +
                          std::string(tgmap::to_string_view(out.dtype)))
                             .c_str());
  if (out.strides.empty() && out.order == tgmap::native_byte_order) return out;
  const nb::object native =
      out.owner.attr("astype")(out.owner.attr("dtype").attr("newbyteorder")("="), "order"_a = "C");
  input_array dense;
  dense.dtype = type;
  dense.shape = out.shape;
  describe(dense, native);
  return dense;
}

}  // namespace tgmap_python

// SPDX-License-Identifier: Apache-2.0
#include "cpp/arrays/dlpack.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <tgmap/untyped_view.hpp>
#include <vector>

#include "cpp/arrays/numpy.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/scalars.hpp"

namespace tgmap_python {
namespace {

// The structures of DLPack 1.0 (https://dmlc.github.io/dlpack/latest/c_api.html).
struct dl_device {
  std::int32_t type = 1;  // CPU
  std::int32_t id = 0;
};
struct dl_dtype {
  std::uint8_t code = 0, bits = 0;
  std::uint16_t lanes = 1;
};
struct dl_tensor {
  void* data = nullptr;
  dl_device device{};
  std::int32_t rank = 0;
  dl_dtype dtype{};
  std::int64_t* shape = nullptr;
  std::int64_t* strides = nullptr;  // in elements
  std::uint64_t byte_offset = 0;
};
struct dl_managed_tensor {
  dl_tensor tensor{};
  void* context = nullptr;
  void (*deleter)(dl_managed_tensor*) = nullptr;
};
struct dl_managed_tensor_versioned {
  std::uint32_t major = 1, minor = 0;
  void* context = nullptr;
  void (*deleter)(dl_managed_tensor_versioned*) = nullptr;
  std::uint64_t flags = 0;
  dl_tensor tensor{};
};
constexpr std::uint64_t read_only = 1, is_copied = 2;

[[noreturn]] void raise_buffer_error(const char* text) {
  PyErr_SetString(PyExc_BufferError, text);
  throw nb::python_error();
}

dl_dtype to_dl_dtype(tgmap::dtype type) {
  const auto bits = static_cast<std::uint8_t>(8 * tgmap::element_size(type));
  switch (type) {
    case tgmap::dtype::int8:
    case tgmap::dtype::int16:
    case tgmap::dtype::int32:
    case tgmap::dtype::int64: return {0, bits, 1};
    case tgmap::dtype::uint8:
    case tgmap::dtype::uint16:
    case tgmap::dtype::uint32:
    case tgmap::dtype::uint64: return {1, bits, 1};
    case tgmap::dtype::float16:
    case tgmap::dtype::float32:
    case tgmap::dtype::float64: return {2, bits, 1};
    case tgmap::dtype::bfloat16: return {4, bits, 1};
    case tgmap::dtype::complex64:
    case tgmap::dtype::complex128: return {5, bits, 1};
    case tgmap::dtype::bitmask: return {6, 8, 1};  // bool, as the array of NumPy has it
  }
  return {};
}

/// A `dl_export` is what a capsule owns: shape, strides, and a reference to the owner of the elements.
template <class Managed>
struct dl_export {
  Managed managed{};
  std::vector<std::int64_t> shape{}, strides{};
  PyObject* owner = nullptr;

  static void destroy(Managed* managed) {
    // A consumer may do this in any thread, and after the interpreter has ended. While it ends, only the thread
    // that ends it has a state.
    auto* const self = static_cast<dl_export*>(managed->context);
    if (Py_IsInitialized() || PyGILState_GetThisThreadState() != nullptr) {
      const lock_hold locked;
      Py_DECREF(self->owner);
    }
    delete self;
  }
};

template <class Managed>
nb::object make_capsule(const char* name, dl_tensor tensor, std::span<const std::uint64_t> shape,
                        std::span<const std::int64_t> strides, nb::handle owner, std::uint64_t flags) {
  auto out = std::make_unique<dl_export<Managed>>();
  out->shape.assign(shape.begin(), shape.end());
  out->strides.assign(strides.begin(), strides.end());
  tensor.rank = static_cast<std::int32_t>(shape.size());
  tensor.shape = out->shape.data();
  tensor.strides = out->strides.data();
  out->managed.tensor = tensor;
  out->managed.context = out.get();
  out->managed.deleter = dl_export<Managed>::destroy;
  if constexpr (requires { out->managed.flags; }) out->managed.flags = flags;
  // A capsule that nobody consumed keeps its name.
  PyObject* const capsule = PyCapsule_New(&out->managed, name, [](PyObject* unused) {
    const char* const kept = PyCapsule_GetName(unused);
    if (kept == nullptr || std::string_view(kept).starts_with("used_")) return;
    auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(unused, kept));
    managed->deleter(managed);
  });
  if (capsule == nullptr) throw nb::python_error();
  out->owner = owner.inc_ref().ptr();
  static_cast<void>(out.release());
  return nb::steal(capsule);
}

nb::object capsule_of(bool is_versioned, const dl_tensor& tensor, std::span<const std::uint64_t> shape,
                      std::span<const std::int64_t> strides, nb::handle owner, std::uint64_t flags) {
  return is_versioned
             ? make_capsule<dl_managed_tensor_versioned>("dltensor_versioned", tensor, shape, strides, owner, flags)
             : make_capsule<dl_managed_tensor>("dltensor", tensor, shape, strides, owner, 0);
}

/// Returns the first one of two integers. Raises TypeError for any other value.
std::int64_t first_of_pair(nb::handle pair, const char* name) {
  const bool is_pair = (PyTuple_Check(pair.ptr()) || PyList_Check(pair.ptr())) && nb::len(pair) == 2;
  if (!is_pair) throw nb::type_error((std::string(name) + " must be a tuple of two integers").c_str());
  static_cast<void>(to_integer(pair[1], name, INT64_MIN, INT64_MAX));
  return to_integer(pair[0], name, INT64_MIN, INT64_MAX);
}

/// Returns the elements in new memory, in C order.
nb::object copied(py_object& o, bool is_versioned) {
  const nb::object decoded = nb::cast(o).attr("decode")();
  const nb::object array = nb::module_::import_("numpy").attr("ascontiguousarray")(decoded);
  const auto bytes = bytes_of(array.attr("reshape")(-1).attr("view")("u1"));
  std::array<std::int64_t, tgmap::max_rank> strides;
  const auto c_order = std::span(strides).first(o.descriptor().rank());
  tgmap::c_order_strides(o.descriptor().shape(), c_order);
  const dl_tensor tensor{.data = const_cast<std::byte*>(bytes.bytes.data()),
                         .dtype = to_dl_dtype(o.descriptor().dtype)};
  return capsule_of(is_versioned, tensor, o.descriptor().shape(), c_order, bytes.owner, is_copied);
}

}  // namespace

nb::object to_dlpack(py_object& o, nb::handle stream, nb::handle max_version, nb::handle device, nb::handle copy) {
  if (!stream.is_none()) raise_buffer_error("memory of a CPU has no streams");
  if (!device.is_none() && first_of_pair(device, "dl_device") != 1)
    raise_buffer_error("the elements are in memory of the CPU");
  const bool is_versioned = !max_version.is_none() && first_of_pair(max_version, "max_version") >= 1;
  const bool must_copy = !copy.is_none() && to_bool(copy, "copy"), must_not_copy = !copy.is_none() && !must_copy;
  tgmap::failure why;
  const tgmap::untyped_view view = tgmap::view_untyped(o.handle(), why);
  const bool is_in_place = !why && o.from->has_bytes_in_place() && view.dtype != tgmap::dtype::bitmask &&
                           view.byte_order == tgmap::native_byte_order && is_versioned &&
                           reinterpret_cast<std::uintptr_t>(view.bytes.data()) % tgmap::swap_unit(view.dtype) == 0;
  if (!is_in_place && must_not_copy)
    raise_buffer_error(is_versioned ? "the elements are not in place in native byte order; a copy is needed"
                                    : "read-only elements need a consumer of DLPack 1.0, or a copy");
  if (!is_in_place || must_copy) return copied(o, is_versioned);
  const dl_tensor tensor{.data = const_cast<std::byte*>(view.bytes.data()), .dtype = to_dl_dtype(view.dtype)};
  return capsule_of(true, tensor, view.shape(), view.strides(), o.from.owner(), read_only);
}

}  // namespace tgmap_python

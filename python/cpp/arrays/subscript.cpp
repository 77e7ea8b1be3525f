// SPDX-License-Identifier: Apache-2.0
#include "cpp/arrays/subscript.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tgmap/array_view.hpp>

#include "cpp/arrays/numpy.hpp"
#include "cpp/handles/limits.hpp"
#include "cpp/interpreter/errors.hpp"

namespace tgmap_python {
namespace {

/// Returns whether NumPy takes a key for an integer. Arrays and bool, which are masks, also have `__index__`.
bool is_integer(nb::handle key) {
  if (PyLong_CheckExact(key.ptr())) return true;
  if (PyBool_Check(key.ptr()) || PyIndex_Check(key.ptr()) == 0) return false;
  return !nb::isinstance(key, from_package("numpy", "ndarray")) && !nb::isinstance(key, from_package("numpy", "bool_"));
}

/// Raises what NumPy raises for a key of an array of this shape. The array has one element in memory.
[[noreturn]] void raise_as_numpy(nb::handle key, std::span<const std::uint64_t> shape) {
  const nb::object one = from_package("numpy", "zeros")(nb::make_tuple(), "bool");
  const nb::object array = from_package("numpy", "broadcast_to")(one, to_tuple(shape));
  const nb::object found = array[nb::borrow(key)];
  throw nb::index_error("the index is out of bounds");
}

void add_dimension(subscript& out, std::uint64_t start, std::uint64_t count, std::uint64_t step) {
  out.box.start.push_back(start);
  out.box.count.push_back(count);
  out.box.stride.push_back(step);
  out.is_reversed.push_back(false);
  out.is_dropped.push_back(false);
}

/// Adds the dimension that an integer selects. Returns false if there is no such index.
bool add_index(subscript& out, nb::handle key, std::uint64_t extent) {
  Py_ssize_t i = PyNumber_AsSsize_t(key.ptr(), PyExc_IndexError);
  if (i == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return false;
  }
  const auto size = static_cast<Py_ssize_t>(extent);
  if (i < -size || i >= size) return false;
  add_dimension(out, static_cast<std::uint64_t>(i < 0 ? i + size : i), 1, 1);
  out.is_dropped.back() = true;
  out.is_whole = false;
  return true;
}

/// Adds the dimension that a slice selects.
void add_slice(subscript& out, nb::handle key, std::uint64_t extent) {
  Py_ssize_t start = 0, stop = 0, step = 0;
  if (PySlice_Unpack(key.ptr(), &start, &stop, &step) < 0) throw nb::python_error();
  const Py_ssize_t count = PySlice_AdjustIndices(static_cast<Py_ssize_t>(extent), &start, &stop, step);
  const bool is_reversed = step < 0 && count > 1;
  if (is_reversed) start += (count - 1) * step;
  add_dimension(out, count == 0 ? 0 : static_cast<std::uint64_t>(start), static_cast<std::uint64_t>(count),
                count <= 1 ? 1 : static_cast<std::uint64_t>(step < 0 ? -step : step));
  out.is_reversed.back() = is_reversed;
  out.is_whole = out.is_whole && static_cast<std::uint64_t>(count) == extent && !is_reversed;
}

bool is_simple(nb::handle key) {
  return key.is_none() || key.ptr() == Py_Ellipsis || PySlice_Check(key.ptr()) || is_integer(key);
}

}  // namespace

bool subscript::changes_axes() const noexcept {
  return !new_axes_before.empty() || std::ranges::find(is_reversed, true) != is_reversed.end() ||
         std::ranges::find(is_dropped, true) != is_dropped.end();
}

std::optional<subscript> to_subscript(nb::handle key, std::span<const std::uint64_t> shape) {
  const nb::object keys = PyTuple_Check(key.ptr()) ? nb::borrow(key) : nb::object(nb::make_tuple(key));
  std::size_t named = 0, ellipses = 0;
  for (nb::handle each : keys) {
    if (!is_simple(each)) return std::nullopt;
    ellipses += each.ptr() == Py_Ellipsis;
    named += each.ptr() != Py_Ellipsis && !each.is_none();
  }
  if (named > shape.size() || ellipses > 1) raise_as_numpy(key, shape);
  subscript out{.has_ellipsis = ellipses == 1};
  for (nb::handle each : keys) {
    const std::size_t axis = out.box.start.size();
    if (each.is_none())
      out.new_axes_before.push_back(axis);
    else if (each.ptr() == Py_Ellipsis)
      for (std::size_t i = named; i < shape.size(); ++i) add_dimension(out, 0, shape[axis + i - named], 1);
    else if (PySlice_Check(each.ptr()))
      add_slice(out, each, shape[axis]);
    else if (!add_index(out, each, shape[axis]))
      raise_as_numpy(key, shape);
  }
  for (std::size_t i = out.box.start.size(); i < shape.size(); ++i) add_dimension(out, 0, shape[i], 1);
  return out;
}

nb::object apply_axes(const nb::object& box, const subscript& how) {
  if (!how.changes_axes()) return box;
  nb::list keys;
  auto added = how.new_axes_before.begin();
  for (std::size_t i = 0; i <= how.is_dropped.size(); ++i) {
    for (; added != how.new_axes_before.end() && *added == i; ++added) keys.append(nb::none());
    if (i == how.is_dropped.size()) break;
    if (how.is_dropped[i])
      keys.append(0);
    else
      keys.append(nb::steal(PySlice_New(nullptr, nullptr, how.is_reversed[i] ? nb::int_(-1).ptr() : nullptr)));
  }
  if (how.has_ellipsis) keys.append(nb::ellipsis());
  return box[nb::tuple(keys)];
}

nb::object part_of(py_object& o, const nb::object& key) {
  const tgmap::descriptor& d = o.descriptor();
  const nb::object self = nb::cast(o);
  // A part of elements in place is a view, which NumPy makes. Keys that are no box need all elements, as do those of
  // all elements, whose order of axes NumPy then keeps.
  if (d.is_plain() && d.dtype != tgmap::dtype::bitmask && o.from->has_bytes_in_place()) return self.attr("array")[key];
  const auto wanted = to_subscript(key, d.shape());
  if (!wanted || wanted->is_whole) return self.attr("array")[key];
  const auto& shape = wanted->box.count;
  tgmap::failure why;
  const std::uint64_t item = std::max<std::size_t>(tgmap::element_size(d.dtype), 1);
  require_within_limit(o.from, o.handle(), std::accumulate(shape.begin(), shape.end(), item, std::multiplies<>()));
  if (d.dtype == tgmap::dtype::bitmask) {
    const tgmap::tensor bits = without_lock(true, [&] { return o.handle().decode_slab(wanted->box, why); });
    raise_if(why);
    return apply_axes(bool_array(bits.bytes(), shape), *wanted);
  }
  const auto reader = without_lock(true, [&] { return tgmap::part_reader::open(o.handle(), why); });
  raise_if(why);
  new_array out = make_array(d.dtype, tgmap::native_byte_order, shape);
  without_lock(true, [&] { reader.slabs_into(std::span(&wanted->box, 1), std::span(&out.bytes, 1), why); });
  raise_if(why);
  return apply_axes(out.array, *wanted);
}

nb::object cost_of(py_object& o, const nb::object& key) {
  const auto wanted = to_subscript(key, o.descriptor().shape());
  subscript all;
  for (const std::uint64_t extent : o.descriptor().shape()) add_dimension(all, 0, extent, 1);
  tgmap::failure why;
  const tgmap::part_cost cost = o.handle().part_cost(wanted ? wanted->box : all.box, why);
  raise_if(why);
  return from_package("tgmap._types", "PartCost")(cost.bytes_read, cost.bytes_decoded, cost.decodes_whole_object);
}

std::span<const std::int64_t> c_strides(std::span<const std::uint64_t> shape,
                                        std::array<std::int64_t, tgmap::max_rank>& memory) {
  const auto out = std::span(memory).first(shape.size());
  tgmap::c_order_strides(shape, out);
  return out;
}

std::span<const std::int64_t> decoded_strides(const tgmap::descriptor& d,
                                              std::array<std::int64_t, tgmap::max_rank>& memory, tgmap::failure& why) {
  why = {};
  const auto dense = std::span(memory).first(d.rank());
  if (!tgmap::dense_strides(d.shape(), d.strides(), tgmap::element_size(d.dtype), dense)) {
    why = {.code = tgmap::errc::unsupported_strides};
    return {};
  }
  std::array<std::int64_t, tgmap::max_rank> c_order;
  return std::ranges::equal(dense, c_strides(d.shape(), c_order)) ? std::span<const std::int64_t>() : dense;
}

}  // namespace tgmap_python

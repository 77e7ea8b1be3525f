// SPDX-License-Identifier: Apache-2.0
#include "subscript.hpp"

#include <algorithm>
#include <tgmap/array_view.hpp>

#include "errors.hpp"
#include "numpy.hpp"

namespace tgmap_python {
namespace {

bool is_integer(nb::handle key) { return PyIndex_Check(key.ptr()) != 0 && !PyBool_Check(key.ptr()); }

/// Adds the dimension that an integer or a slice selects. Returns false for keys of other kinds.
bool add_dimension(subscript& out, nb::handle key, std::uint64_t extent, std::size_t axis) {
  if (is_integer(key)) {
    const Py_ssize_t i = PyNumber_AsSsize_t(key.ptr(), PyExc_IndexError);
    if (i == -1 && PyErr_Occurred()) throw nb::python_error();
    const std::string text = "index " + std::to_string(i) + " is out of bounds for axis " + std::to_string(axis) +
                             " with size " + std::to_string(extent);
    out.box.start.push_back(to_index(i, static_cast<std::size_t>(extent), text.c_str()));
    out.box.count.push_back(1);
    out.box.stride.push_back(1);
    out.is_reversed.push_back(false);
    out.is_dropped.push_back(true);
    out.is_whole = false;
    return true;
  }
  if (!PySlice_Check(key.ptr())) return false;
  Py_ssize_t start = 0, stop = 0, step = 0;
  if (PySlice_Unpack(key.ptr(), &start, &stop, &step) < 0) throw nb::python_error();
  const Py_ssize_t count = PySlice_AdjustIndices(static_cast<Py_ssize_t>(extent), &start, &stop, step);
  const bool is_reversed = step < 0 && count > 0;
  if (is_reversed) start += (count - 1) * step;
  out.box.start.push_back(count == 0 ? 0 : static_cast<std::uint64_t>(start));
  out.box.count.push_back(static_cast<std::uint64_t>(count));
  out.box.stride.push_back(count <= 1 ? 1 : static_cast<std::uint64_t>(step < 0 ? -step : step));
  out.is_reversed.push_back(is_reversed && count > 1);
  out.is_dropped.push_back(false);
  out.is_whole = out.is_whole && static_cast<std::uint64_t>(count) == extent && !out.is_reversed.back();
  return true;
}

bool add_whole_dimension(subscript& out, std::uint64_t extent) {
  out.box.start.push_back(0);
  out.box.count.push_back(extent);
  out.box.stride.push_back(1);
  out.is_reversed.push_back(false);
  out.is_dropped.push_back(false);
  return true;
}

}  // namespace

bool subscript::changes_axes() const noexcept {
  return std::ranges::find(is_reversed, true) != is_reversed.end() ||
         std::ranges::find(is_dropped, true) != is_dropped.end();
}

std::optional<subscript> to_subscript(nb::handle key, std::span<const std::uint64_t> shape) {
  const nb::object keys = PyTuple_Check(key.ptr()) ? nb::borrow(key) : nb::object(nb::make_tuple(key));
  const std::size_t given = nb::len(keys);
  std::size_t named = 0;
  for (nb::handle each : keys) named += each.ptr() != Py_Ellipsis;
  if (named > shape.size())
    throw nb::index_error(("too many indices: the object has " + std::to_string(shape.size()) + " dimensions, and " +
                           std::to_string(named) + " are given")
                              .c_str());
  if (given > named + 1) throw nb::index_error("an index can have only one ellipsis");
  subscript out;
  for (nb::handle each : keys) {
    const std::size_t axis = out.box.start.size();
    if (each.ptr() == Py_Ellipsis) {
      for (std::size_t i = named; i < shape.size(); ++i) add_whole_dimension(out, shape[out.box.start.size()]);
    } else if (!add_dimension(out, each, shape[axis], axis)) {
      return std::nullopt;
    }
  }
  while (out.box.start.size() < shape.size()) add_whole_dimension(out, shape[out.box.start.size()]);
  return out;
}

nb::object apply_axes(const nb::object& box, const subscript& how) {
  if (!how.changes_axes()) return box;
  nb::list keys;
  for (std::size_t i = 0; i < how.is_dropped.size(); ++i) {
    if (how.is_dropped[i])
      keys.append(0);
    else
      keys.append(nb::steal(PySlice_New(nullptr, nullptr, how.is_reversed[i] ? nb::int_(-1).ptr() : nullptr)));
  }
  return box[nb::tuple(keys)];
}

nb::object part_of(py_object& o, const nb::object& key) {
  const tgmap::descriptor& d = o.descriptor();
  const nb::object self = nb::cast(o);
  // A part of elements in place is a view, which NumPy makes. Keys that are no box need all elements.
  if (d.is_plain() && d.dtype != tgmap::dtype::bitmask && o.from->has_bytes_in_place()) return self.attr("array")[key];
  const auto wanted = to_subscript(key, d.shape());
  if (!wanted || wanted->is_whole) return self.attr("array")[key];
  const auto& shape = wanted->box.count;
  tgmap::failure why;
  if (d.dtype == tgmap::dtype::bitmask) {
    const tgmap::tensor bits = without_lock(true, [&] { return o.handle.decode_slab(wanted->box, why); });
    raise_if(why);
    return apply_axes(bool_array(bits.bytes(), shape), *wanted);
  }
  const auto reader = without_lock(true, [&] { return tgmap::part_reader::open(o.handle, why); });
  raise_if(why);
  new_array out = make_array(d.dtype, tgmap::native_byte_order, shape);
  without_lock(true, [&] { reader.slabs_into(std::span(&wanted->box, 1), std::span(&out.bytes, 1), why); });
  raise_if(why);
  return apply_axes(out.array, *wanted);
}

nb::object cost_of(py_object& o, const nb::object& key) {
  const auto wanted = to_subscript(key, o.descriptor().shape());
  subscript all;
  for (const std::uint64_t extent : o.descriptor().shape()) add_whole_dimension(all, extent);
  tgmap::failure why;
  const tgmap::part_cost cost = o.handle.part_cost(wanted ? wanted->box : all.box, why);
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

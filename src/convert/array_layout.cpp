// SPDX-License-Identifier: Apache-2.0
#include "convert/array_layout.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tgmap/array_view.hpp>

#include "convert/refusal.hpp"

namespace tgmap::convert {

namespace {

/// Bytes of that many elements; nothing beyond 63 bits, where strides end.
std::optional<std::uint64_t> bytes_of(dtype type, std::span<const std::uint64_t> shape) {
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return 0;
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : shape)
    if (__builtin_mul_overflow(elements, extent, &elements)) return std::nullopt;
  const auto out = size_bytes(type, elements);
  return out && *out <= INT64_MAX ? out : std::nullopt;
}

std::vector<std::int64_t> strides_of(std::span<const std::uint64_t> shape, bool fortran_order) {
  std::vector<std::int64_t> out(shape.size());
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return out;  // no element; extents may be any others
  if (!fortran_order) {
    c_order_strides(shape, out);
    return out;
  }
  std::uint64_t next = 1;
  for (std::size_t d = 0; d < shape.size(); next *= shape[d++]) out[d] = static_cast<std::int64_t>(next);
  return out;
}

}  // namespace

void refuse_cut(std::uint64_t wanted, std::uint64_t there) {
  throw refusal("is cut: " + std::to_string(wanted) + " bytes are needed where " + std::to_string(there) + " are left",
                "save it again");
}

void lay_out(npy_array& array, std::span<const std::byte> data, bool fortran_order) {
  const auto wanted = bytes_of(array.elements.type, array.shape);
  if (!wanted) throw refusal("states a shape that no memory holds", "save it again");
  if (*wanted > data.size()) refuse_cut(*wanted, data.size());
  if (*wanted < data.size())
    throw refusal("has " + std::to_string(data.size() - *wanted) + " bytes behind its elements",
                  "save each array in a file of its own, or in an .npz");
  array.data = data;
  array.strides = strides_of(array.shape, fortran_order);
}

}  // namespace tgmap::convert

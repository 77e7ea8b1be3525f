// SPDX-License-Identifier: Apache-2.0
#include "zio/bridge/object_part.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <tgmap/array_view.hpp>
#include <utility>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

using owned_bytes = std::shared_ptr<std::byte[]>;

/// Allocates uninitialized memory, aligned for all elements.
owned_bytes make_bytes(std::size_t size) {
  return std::make_shared_for_overwrite<std::byte[]>(std::max<std::size_t>(size, 1));
}

bool is_in_c_order(const tensor& t) noexcept { return tgmap::is_c_order(t.shape(), t.strides()); }

void swap_bytes(std::byte* begin, std::size_t size, std::size_t unit) {
  for (std::size_t at = 0; at + unit <= size; at += unit) std::reverse(begin + at, begin + at + unit);
}

tensor decode(const object& object, part_order order, failure& why) {
  decode_options how;
  how.strides = order == part_order::c ? stride_policy::apply : stride_policy::ignore;
  tensor out = object.decode(how, why);
  // Strides that describe no dense layout are ignored, as other readers do.
  if (why.code == tgmap::errc::unsupported_strides) {
    how.strides = stride_policy::ignore;
    out = object.decode(how, why);
  }
  return out;
}

bool is_in_place(const archive& in, const descriptor& d, part_order order) noexcept {
  if (!d.is_plain() || in.mode() != io_mode::map) return false;
  if (d.byte_order == byte_order::big && swap_unit(d.dtype) > 1) return false;
  if (order == part_order::as_stored) return true;
  std::array<std::int64_t, max_rank> strides;  // those of no dense layout are ignored
  const auto dense = std::span(strides).first(d.rank());
  return !dense_strides(d.shape(), d.strides(), element_size(d.dtype), dense) || tgmap::is_c_order(d.shape(), dense);
}

}  // namespace

part element_part(const archive& in, const object& object, const descriptor& d, part_order order,
                  const copy_limit& copied, failure& why) {
  if (is_in_place(in, d, order)) {
    const auto bytes = object.payload(why);
    if (why) return {};
    const auto needed = size_bytes(d.dtype, d.element_count);
    if (needed && *needed == bytes.size()) return {bytes, in.pin()};
  }
  const std::uint64_t size = object.decoded_size(why);
  if (!why) why = copied.check(size);
  if (why) return {};
  auto elements = std::make_shared<tensor>(decode(object, order, why));
  if (why) return {};
  const std::span<const std::byte> bytes = elements->bytes();
  const std::size_t unit = swap_unit(elements->dtype());
  const bool needs_swap = elements->byte_order() == byte_order::big && unit > 1;
  const bool is_bitmask = elements->dtype() == dtype::bitmask;  // always in C order
  if (!needs_swap && (is_bitmask || is_in_c_order(*elements) || order == part_order::as_stored)) {
    if (!elements->is_borrowed()) copied.count += bytes.size();
    return {bytes, elements->is_borrowed() ? in.pin() : pin(std::move(elements))};
  }
  const owned_bytes copy = make_bytes(bytes.size());
  if (is_in_c_order(*elements) || order == part_order::as_stored) {
    std::memcpy(copy.get(), bytes.data(), bytes.size());
  } else {
    gather_elements(bytes.data(), element_size(elements->dtype()), elements->shape(), elements->strides(), copy.get());
  }
  if (needs_swap) swap_bytes(copy.get(), bytes.size(), unit);
  copied.count += bytes.size();
  return {{copy.get(), bytes.size()}, pin(copy)};
}

part stored_part(const archive& in, const object& object, const copy_limit& copied, failure& why) {
  if (in.mode() == io_mode::map) {
    const auto bytes = object.payload_and_masks(why);
    return why ? part() : part{bytes, in.pin()};
  }
  const std::uint64_t size = object.payload_and_masks_size();
  why = copied.check(size);
  if (why) return {};
  const owned_bytes copy = make_bytes(size);
  in.read(object.payload_offset(), {copy.get(), size}, why);
  copied.count += size;
  return why ? part() : part{{copy.get(), size}, pin(copy)};
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#include "zio/object_part.hpp"

#include <algorithm>
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

/// Memory that need not be cleared, aligned for every element.
owned_bytes make_bytes(std::size_t size) {
  return std::make_shared_for_overwrite<std::byte[]>(std::max<std::size_t>(size, 1));
}

bool in_c_order(const tensor& t) noexcept { return tgmap::is_c_order(t.shape(), t.strides()); }

void swap_bytes(std::byte* begin, std::size_t size, std::size_t unit) {
  for (std::size_t at = 0; at + unit <= size; at += unit) std::reverse(begin + at, begin + at + unit);
}

tensor decoded(const object& from, part_order order, failure& why) {
  decode_options how;
  how.strides = order == part_order::c ? stride_policy::apply : stride_policy::ignore;
  tensor out = from.decode(how, why);
  // Strides that tell of no dense layout: readers take the bytes as they are.
  if (why.code == tgmap::errc::unsupported_strides) {
    how.strides = stride_policy::ignore;
    out = from.decode(how, why);
  }
  return out;
}

bool lies_ready(const archive& in, const descriptor& d, part_order order) noexcept {
  if (!d.is_plain() || in.mode() != io_mode::map) return false;
  if (d.byte_order == byte_order::big && swap_unit(d.dtype) > 1) return false;
  return order == part_order::as_stored ||
         storage_order_of(d.shape(), d.strides()).value_or(storage_order::c) == storage_order::c;
}

}  // namespace

part elements_of(const archive& in, const object& from, const descriptor& d, part_order order,
                 const copied_bytes& copied, failure& why) {
  if (lies_ready(in, d, order)) {
    const auto bytes = from.payload(why);
    if (why) return {};
    const auto needed = size_bytes(d.dtype, d.element_count);
    if (needed && *needed == bytes.size()) return {bytes, in.pin()};
  }
  const std::uint64_t size = from.decoded_size(why);
  if (!why) why = copied.fits(size);
  if (why) return {};
  auto elements = std::make_shared<tensor>(decoded(from, order, why));
  if (why) return {};
  const std::span<const std::byte> bytes = elements->bytes();
  const std::size_t unit = swap_unit(elements->dtype());
  const bool swap = elements->byte_order() == byte_order::big && unit > 1;
  const bool bits = elements->dtype() == dtype::bitmask;  // which have no strides but those of C order
  if (!swap && (bits || in_c_order(*elements) || order == part_order::as_stored)) {
    if (!elements->is_borrowed()) copied.count += bytes.size();
    return {bytes, elements->is_borrowed() ? in.pin() : pin(std::move(elements))};
  }
  const owned_bytes own = make_bytes(bytes.size());
  if (in_c_order(*elements) || order == part_order::as_stored) {
    std::memcpy(own.get(), bytes.data(), bytes.size());
  } else {
    gather_elements(bytes.data(), element_size(elements->dtype()), elements->shape(), elements->strides(), own.get());
  }
  if (swap) swap_bytes(own.get(), bytes.size(), unit);
  copied.count += bytes.size();
  return {{own.get(), bytes.size()}, pin(own)};
}

part region_of(const archive& in, const object& from, const copied_bytes& copied, failure& why) {
  if (in.mode() == io_mode::map) {
    const auto bytes = from.payload_and_masks(why);
    return why ? part() : part{bytes, in.pin()};
  }
  const std::uint64_t size = from.payload_and_masks_size();
  why = copied.fits(size);
  if (why) return {};
  const owned_bytes own = make_bytes(size);
  in.read(from.payload_offset(), {own.get(), size}, why);
  copied.count += size;
  return why ? part() : part{{own.get(), size}, pin(own)};
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap

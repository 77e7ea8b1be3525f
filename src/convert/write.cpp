// SPDX-License-Identifier: Apache-2.0
#include "convert/write.hpp"

#include <string>

#include "convert/npy.hpp"

namespace tgmap::convert {

namespace {

[[noreturn]] void refuse(const object& from, errc code, std::uint64_t expected = 0, std::uint64_t found = 0) {
  throw error({.code = code,
               .offset = from.frame().offset(),
               .expected = expected,
               .found = found,
               .message = from.frame().message().index,
               .object = static_cast<std::int64_t>(from.index())});
}

/// The order of the elements, after everything that forbids reading them was ruled out.
storage_order readable(const object& from, const descriptor& what, element_order order) {
  if (what.mask_count != 0) refuse(from, errc::masked);
  if (what.encoding != encoding::none) refuse(from, errc::encoded);
  if (what.filter != filter::none) refuse(from, errc::filtered);
  if (what.compression != compression::none) refuse(from, errc::compressed);

  const auto needed = byte_count(what.dtype, what.elements);
  if (!needed) refuse(from, errc::shape_overflow);
  if (*needed != from.payload_size()) refuse(from, errc::payload_size, *needed, from.payload_size());

  if (order == element_order::as_stored) return storage_order::c;
  const auto stored = storage_order_of(what.shape(), what.strides());
  if (!stored) refuse(from, errc::odd_strides);
  return *stored;
}

}  // namespace

void write_npy(const object& from, element_order order, const sink& to) {
  const descriptor what = from.descriptor();
  const storage_order stored = readable(from, what, order);
  const std::string header = npy_header(what.dtype, what.shape(), stored == storage_order::fortran);
  to(std::as_bytes(std::span(header)));
  if (stored == storage_order::permuted)
    gather_elements(from, what, to);
  else
    copy_elements(from, what, to);
}

void write_raw(const object& from, element_order order, const sink& to) {
  const descriptor what = from.descriptor();
  if (readable(from, what, order) == storage_order::c)
    copy_elements(from, what, to);
  else
    gather_elements(from, what, to);
}

}  // namespace tgmap::convert

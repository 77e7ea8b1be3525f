// SPDX-License-Identifier: Apache-2.0
#include "convert/write.hpp"

#include <string>

#include "convert/elements.hpp"
#include "convert/npy.hpp"

namespace tgmap::convert {

namespace {

storage_order order_of(const tensor& t) noexcept {
  return storage_order_of(t.shape(), t.strides()).value_or(storage_order::permuted);
}

}  // namespace

void write_npy(const tensor& from, std::span<const std::uint64_t> shape, const sink& to) {
  const storage_order order = order_of(from);
  const std::string header = npy_header(from.dtype(), shape, order == storage_order::fortran);
  to(std::as_bytes(std::span(header)));
  order == storage_order::permuted ? gather_elements(from, to) : copy_elements(from, to);
}

void write_npy(const tensor& from, const sink& to) { write_npy(from, from.shape(), to); }

void write_raw(const tensor& from, const sink& to) {
  order_of(from) == storage_order::c ? copy_elements(from, to) : gather_elements(from, to);
}

}  // namespace tgmap::convert

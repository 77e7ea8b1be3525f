// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tensor.hpp>

#include <bit>
#include <utility>

#include "core/memory.hpp"
#include "decode/tensor_access.hpp"

namespace tgmap {
inline namespace v0 {

void tensor::free_memory::operator()(std::byte* at) const noexcept { core::free_memory({at, bytes}); }

tensor::tensor(tensor&& from) noexcept
    : dtype_(from.dtype_),
      order_(from.order_),
      rank_(from.rank_),
      elements_(from.elements_),
      shape_(from.shape_),
      strides_(from.strides_),
      memory_(std::move(from.memory_)),
      bytes_(from.bytes_),
      archive_(std::move(from.archive_)) {
  detail::tensor_access::clear(from);
}

tensor& tensor::operator=(tensor&& from) noexcept {
  if (this == &from) return *this;
  dtype_ = from.dtype_;
  order_ = from.order_;
  rank_ = from.rank_;
  elements_ = from.elements_;
  shape_ = from.shape_;
  strides_ = from.strides_;
  memory_ = std::move(from.memory_);
  bytes_ = from.bytes_;
  archive_ = std::move(from.archive_);
  detail::tensor_access::clear(from);
  return *this;
}

failure tensor::viewable(tgmap::dtype as) const noexcept {
  if (as != dtype_)
    return {.code = errc::dtype_mismatch,
            .expected = static_cast<std::uint64_t>(as),
            .found = static_cast<std::uint64_t>(dtype_)};
  constexpr auto native = std::endian::native == std::endian::big ? tgmap::byte_order::big : tgmap::byte_order::little;
  if (swap_unit(dtype_) > 1 && order_ != native) return {.code = errc::foreign_byte_order};
  return {};
}

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tensor.hpp>

#include <bit>

#include "core/memory.hpp"

namespace tgmap {
inline namespace v0 {

void tensor::free_memory::operator()(std::byte* at) const noexcept { core::give_back({at, bytes}); }

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

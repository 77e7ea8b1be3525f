// SPDX-License-Identifier: Apache-2.0
#include "constant/model/block_sequence.hpp"

#include <algorithm>
#include <numeric>

#include "constant/model/label_table.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

block_sequence::block_sequence(const tensor_constant& constant, block_order order) {
  const std::size_t mapped = constant.type().mapped_count();
  if (order == block_order::as_stored || mapped == 0) return;
  order_.resize(constant.blocks());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    failure why;  // unreadable labels compare as empty; writing them reports the error
    for (std::size_t i = 0; i < mapped; ++i)
      if (const int order = constant.label(a, i, why).compare(constant.label(b, i, why)); order != 0) return order < 0;
    return a < b;
  });
}

failure check_writable(const tensor_constant& constant) noexcept {
  const std::uint64_t blocks = constant.blocks(), bytes = constant.bytes().size(),
                      block_bytes = constant.type().block_bytes();
  if (constant.type().mapped_count() == 0 && blocks != 1)
    return {.code = errc::bad_constant, .expected = 1, .found = blocks};
  if (blocks > max_blocks) return {.code = errc::bad_constant, .expected = max_blocks, .found = blocks};
  if (blocks != bytes / block_bytes || bytes % block_bytes != 0) return {.code = errc::bad_constant, .found = blocks};
  return {};
}

std::string_view writable_label(const tensor_constant& constant, std::uint64_t block, std::size_t mapped,
                                failure& why) noexcept {
  const std::string_view out = constant.label(block, mapped, why);
  if (!why && !core::is_utf8(out)) why = {.code = errc::bad_constant, .found = block};
  return why ? std::string_view() : out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

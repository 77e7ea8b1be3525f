// SPDX-License-Identifier: Apache-2.0
#include "constant/model/block_sequence.hpp"

#include <algorithm>
#include <numeric>

#include "constant/model/label_table.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

block_sequence::block_sequence(const tensor_constant& of, block_order order) {
  const std::size_t each = of.type().mapped_count();
  if (order == block_order::as_stored || each == 0) return;
  order_.resize(of.blocks());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    failure why;  // unreadable labels compare as empty; writing them reports the error
    for (std::size_t i = 0; i < each; ++i)
      if (const int order = of.label(a, i, why).compare(of.label(b, i, why)); order != 0) return order < 0;
    return a < b;
  });
}

failure check_writable(const tensor_constant& of) noexcept {
  const std::uint64_t blocks = of.blocks(), bytes = of.bytes().size(), each = of.type().block_bytes();
  if (of.type().mapped_count() == 0 && blocks != 1) return {.code = errc::bad_constant, .expected = 1, .found = blocks};
  if (blocks > max_blocks) return {.code = errc::bad_constant, .expected = max_blocks, .found = blocks};
  if (blocks != bytes / each || bytes % each != 0) return {.code = errc::bad_constant, .found = blocks};
  return {};
}

std::string_view writable_label(const tensor_constant& of, std::uint64_t block, std::size_t mapped,
                                failure& why) noexcept {
  const std::string_view out = of.label(block, mapped, why);
  if (!why && !core::is_utf8(out)) why = {.code = errc::bad_constant, .found = block};
  return why ? std::string_view() : out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

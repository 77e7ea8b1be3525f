// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/constant/write.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// The blocks of a constant in the order in which they are written.
class block_sequence {
 public:
  /// O(1) as stored; sorted O(blocks log blocks). Throws std::bad_alloc.
  block_sequence(const tensor_constant&, block_order);
  std::uint64_t operator[](std::uint64_t place) const noexcept { return order_.empty() ? place : order_[place]; }

 private:
  std::vector<std::uint32_t> order_{};  // empty: as stored
};

/// Why a constant cannot be written, or nothing: one that holds no block, or less cells than its blocks have.
failure unwritable(const tensor_constant&) noexcept;

/// The label of a block, as text that can be written. Errors: bad_constant.
std::string_view written_label(const tensor_constant&, std::uint64_t block, std::size_t mapped, failure&) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

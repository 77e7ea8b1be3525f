// SPDX-License-Identifier: Apache-2.0
// The order of the blocks of a constant, and checks before it is written. Shared by both writers.
#pragma once

#include <cstdint>
#include <tgmap/constant/write.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// A `block_sequence` is the order in which blocks are written.
class block_sequence {
 public:
  /// Throws std::bad_alloc.
  /// Complexity: O(1) as stored, O(blocks log blocks) sorted.
  block_sequence(const tensor_constant&, block_order);
  std::uint64_t operator[](std::uint64_t i) const noexcept { return order_.empty() ? i : order_[i]; }

 private:
  std::vector<std::uint32_t> order_{};  // empty: as stored
};

/// Checks that a constant can be written: it has blocks, and cells for all of them.
/// Errors: bad_constant.
failure check_writable(const tensor_constant&) noexcept;

/// Returns the label of a block. It must be UTF-8.
/// Errors: bad_constant.
std::string_view writable_label(const tensor_constant&, std::uint64_t block, std::size_t mapped, failure&) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

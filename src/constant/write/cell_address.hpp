// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <tgmap/constant/write.hpp>

#include "constant/write/output.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

/// The addresses of the cells of a block, one after the other: `"key":"a","x":"0"`. What is the same for all cells of a
/// row is put together once.
class cell_address {
 public:
  explicit cell_address(const tensor_type& type) noexcept : type_(type) {}

  /// Begins at the first cell of a block. Throws std::bad_alloc. Errors: bad_constant.
  void set_labels(const tensor_constant&, std::uint64_t block, failure&);
  void put(output&) const noexcept;
  void next();  ///< throws std::bad_alloc

 private:
  void put_together();

  const tensor_type& type_;
  std::array<std::string, max_rank> labels_{};     ///< of mapped dimensions, quoted; by the dimension's number
  std::array<std::uint64_t, max_rank> indexes_{};  ///< of indexed ones
  std::size_t last_ = max_rank;                    ///< the last indexed one; none: max_rank
  std::string before_{}, behind_{};                ///< around the index of the last one
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

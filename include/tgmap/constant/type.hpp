// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/constant/errc.hpp>
#include <tgmap/dtype.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// A named axis. Of an indexed one labels are 0 to `size` - 1; of a mapped one any texts, and `size` is 0.
struct dimension {
  std::string name{};
  std::uint64_t size = 0;
  bool is_mapped() const noexcept { return size == 0; }
  friend bool operator==(const dimension&, const dimension&) = default;
};

/// The type of a tensor constant: a cell type, and dimensions sorted by the bytes of their names.
///
/// Dense types have indexed dimensions alone, sparse ones mapped alone, mixed ones both, a scalar none. The cells of
/// one combination of mapped labels are a block, in C order of the indexed dimensions.
/// A value; reading from any number of threads is safe.
class TGMAP_API tensor_type {
 public:
  tensor_type() noexcept = default;  ///< the scalar: `tensor()`

  /// Reads `tensor<float>(x[3],key{})`: spaces between tokens, any order of dimensions, and `double` for a scalar.
  /// O(text). Errors, `offset` = the byte in the text: bad_type, unknown_cell_type, bad_dimension, bad_size,
  /// unbound_dimension, repeated_dimension, scalar_cell_type, too_large (a block's bytes do not fit 63 bits),
  /// tgmap::errc::too_many_dimensions (more than `max_rank` - 1).
  static tensor_type parse(std::string_view text);
  static tensor_type parse(std::string_view text, failure&) noexcept;

  /// Of dimensions in any order. `cells`: float64, float32, bfloat16 or int8. Errors: as above, but for bad_type.
  static tensor_type make(dtype cells, std::vector<dimension>);
  static tensor_type make(dtype cells, std::vector<dimension>, failure&) noexcept;

  dtype cell_type() const noexcept { return cells_; }
  std::span<const dimension> dimensions() const noexcept TGMAP_LIFETIMEBOUND { return dimensions_; }
  std::size_t mapped_count() const noexcept { return mapped_; }  ///< how many dimensions are
  std::size_t indexed_count() const noexcept { return dimensions_.size() - mapped_; }
  bool is_dense() const noexcept { return mapped_ == 0 && !dimensions_.empty(); }
  bool is_sparse() const noexcept { return mapped_ != 0 && indexed_count() == 0; }
  bool is_mixed() const noexcept { return mapped_ != 0 && indexed_count() != 0; }
  bool is_scalar() const noexcept { return dimensions_.empty(); }
  std::uint64_t block_cells() const noexcept { return block_cells_; }  ///< cells of one block: at least 1
  std::uint64_t block_bytes() const noexcept { return block_cells_ * element_size(cells_); }

  /// The number of a dimension, in sorted order. O(log dimensions).
  std::optional<std::size_t> find(std::string_view name) const noexcept;

  /// The canonical spelling: `tensor<float>(key{},x[3])`; a scalar is `tensor()`.
  std::string text() const;

  friend bool operator==(const tensor_type&, const tensor_type&) = default;

 private:
  dtype cells_ = dtype::float64;
  std::vector<dimension> dimensions_{};
  std::size_t mapped_ = 0;
  std::uint64_t block_cells_ = 1;
};

/// The name of a cell type: float64 is "double", float32 "float"; empty for what is none.
TGMAP_API std::string_view cell_type_name(dtype) noexcept;
/// The cell type of that name, or nothing.
TGMAP_API std::optional<dtype> cell_type_from_name(std::string_view) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

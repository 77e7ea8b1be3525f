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

/// A `dimension` is a named axis.
///
/// The labels of an indexed dimension are 0 to `size` - 1. The labels of a mapped dimension are any texts.
struct dimension {
  std::string name{};
  std::uint64_t size = 0;  ///< number of labels; 0 if the dimension is mapped
  bool is_mapped() const noexcept { return size == 0; }
  friend bool operator==(const dimension&, const dimension&) = default;
};

/// A `tensor_type` is the type of a tensor constant: a cell type and dimensions, sorted by the bytes of their names.
///
/// A dense type has only indexed dimensions, a sparse type only mapped ones, a mixed type both, and a scalar none. The
/// cells of one combination of mapped labels form a block, in C order of the indexed dimensions.
/// Thread safety: any number of threads may read a type.
class TGMAP_API tensor_type {
 public:
  tensor_type() noexcept = default;  ///< makes the scalar type `tensor()`

  /// Parses a type such as `tensor<float>(x[3],key{})`.
  ///
  /// Spaces between tokens and any order of dimensions are accepted. The cell type defaults to `double`, and a scalar
  /// has no other. Errors, with `offset` as the position in the text: bad_type, unknown_cell_type, bad_dimension,
  /// bad_size, unbound_dimension, repeated_dimension, scalar_cell_type, too_large (the bytes of a block need more than
  /// 63 bits), tgmap::errc::too_many_dimensions (more than `max_rank` - 1).
  /// Complexity: O(text).
  static tensor_type parse(std::string_view text);
  static tensor_type parse(std::string_view text, failure&) noexcept;

  /// Makes a type from dimensions in any order. `cells` is float64, float32, bfloat16 or int8.
  /// Errors: those of `parse` except bad_type and unbound_dimension.
  static tensor_type make(dtype cells, std::vector<dimension>);
  static tensor_type make(dtype cells, std::vector<dimension>, failure&) noexcept;

  dtype cell_type() const noexcept { return cells_; }
  /// Returns all dimensions, sorted by name.
  std::span<const dimension> dimensions() const noexcept TGMAP_LIFETIMEBOUND { return dimensions_; }
  /// Returns the number of mapped dimensions.
  std::size_t mapped_count() const noexcept { return mapped_; }
  /// Returns the number of indexed dimensions.
  std::size_t indexed_count() const noexcept { return dimensions_.size() - mapped_; }
  bool is_dense() const noexcept { return mapped_ == 0 && !dimensions_.empty(); }
  bool is_sparse() const noexcept { return mapped_ != 0 && indexed_count() == 0; }
  bool is_mixed() const noexcept { return mapped_ != 0 && indexed_count() != 0; }
  bool is_scalar() const noexcept { return dimensions_.empty(); }
  /// Returns the number of cells of one block, at least 1.
  std::uint64_t block_cells() const noexcept { return block_cells_; }
  /// Returns the number of bytes of one block.
  std::uint64_t block_bytes() const noexcept { return block_cells_ * element_size(cells_); }

  /// Returns the index of a dimension in sorted order, or nothing.
  /// Complexity: O(log dimensions).
  std::optional<std::size_t> find(std::string_view name) const noexcept;

  /// Returns the canonical text, such as `tensor<float>(key{},x[3])`; `tensor()` for a scalar.
  std::string text() const;

  friend bool operator==(const tensor_type&, const tensor_type&) = default;

 private:
  dtype cells_ = dtype::float64;
  std::vector<dimension> dimensions_{};
  std::size_t mapped_ = 0;
  std::uint64_t block_cells_ = 1;
};

/// Returns the name of a cell type, such as "double" for float64 and "float" for float32; empty for other dtypes.
TGMAP_API std::string_view cell_type_name(dtype) noexcept;
/// Returns the cell type with that name, or nothing.
TGMAP_API std::optional<dtype> cell_type_from_name(std::string_view) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <initializer_list>
#include <tgmap/array_view.hpp>
#include <tgmap/constant/type.hpp>
#include <tgmap/tensor.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// An `address_part` is one dimension of an address and a label in it: `{"key", "abc"}` or `{"x", 2}`.
/// Lifetime: borrows both texts.
class address_part {
 public:
  address_part(std::string_view name, std::string_view text) noexcept : dimension(name), label(text) {}
  address_part(std::string_view name, const char* text) noexcept : dimension(name), label(text) {}
  address_part(std::string_view name, std::integral auto number) noexcept
      : dimension(name), index(static_cast<std::uint64_t>(number)), has_index(true), is_negative(number < 0) {}

  std::string_view dimension;  ///< name of the dimension
  std::string_view label{};    ///< the label; decimal digits if the dimension is indexed
  std::uint64_t index = 0;     ///< the index; its decimal digits are the label if the dimension is mapped
  bool has_index = false, is_negative = false;
};
/// An `address` names a cell: one part for each dimension, in any order.
using address = std::span<const address_part>;

/// A `tensor_constant` is a read-only tensor with named dimensions: blocks of cells that are found by mapped labels.
///
/// Cells, labels and lookup table lie in its own memory or in the mapping of an archive and are used in place; opening
/// builds nothing. Cells are in the byte order of this machine. Data of an archive is checked at every use, so no
/// lookup reads out of bounds.
/// Complexity: O(1) to copy.
/// Lifetime: copies share the data and keep it alive.
/// Thread safety: any number of threads may read a constant.
class TGMAP_API tensor_constant {
 public:
  /// Makes a scalar without a block, so without cells.
  tensor_constant() noexcept = default;

  /// Makes a dense constant or a scalar from cells in C order, without a copy.
  /// Errors: wrong_form (the type has mapped dimensions), tgmap::errc::payload_size_mismatch.
  /// Lifetime: borrows `cells` and keeps `owner`.
  static tensor_constant of(tensor_type, std::span<const std::byte> cells, pin owner);
  static tensor_constant of(tensor_type, std::span<const std::byte> cells, pin owner, failure&) noexcept;

  /// Returns the type.
  const tensor_type& type() const noexcept TGMAP_LIFETIMEBOUND { return type_; }
  /// Returns the number of blocks. A dense constant has 1.
  std::uint64_t blocks() const noexcept { return blocks_; }
  /// Returns the number of cells.
  std::uint64_t size() const noexcept { return blocks_ * type_.block_cells(); }
  /// Returns the bytes of all cells, block after block.
  std::span<const std::byte> bytes() const noexcept TGMAP_LIFETIMEBOUND { return cells_; }
  /// Returns true if all data is used in place, in a mapping or in memory of the caller.
  bool is_borrowed() const noexcept { return borrowed_; }

  /// Returns a view of all cells with the shape `[blocks, indexed dimensions...]`; without mapped dimensions
  /// `[indexed dimensions...]`. `as_multi_array` makes a Boost.MultiArray of it.
  /// Errors: tgmap::errc::dtype_mismatch, tgmap::errc::misaligned.
  /// Complexity: O(1).
  template <element T>
  array_view<T> cells() const TGMAP_LIFETIMEBOUND {
    failure why;
    auto out = cells<T>(why);
    tgmap::detail::raise_if(why);
    return out;
  }
  template <element T>
  array_view<T> cells(failure& why) const noexcept TGMAP_LIFETIMEBOUND {
    std::array<std::uint64_t, max_rank> shape{};
    std::array<std::int64_t, max_rank> strides{};
    const std::size_t rank = arrange(dtype_of<T>, alignof(T), true, shape, strides, why);
    if (why) return {};
    return {reinterpret_cast<const T*>(cells_.data()), {shape.data(), rank}, {strides.data(), rank}, why};
  }

  /// Returns a view of one block with the shape `[indexed dimensions...]`.
  /// Errors: tgmap::errc::dtype_mismatch, tgmap::errc::misaligned, tgmap::errc::out_of_range.
  /// Complexity: O(1).
  template <element T>
  array_view<T> block(std::uint64_t number) const TGMAP_LIFETIMEBOUND {
    failure why;
    auto out = block<T>(number, why);
    tgmap::detail::raise_if(why);
    return out;
  }
  template <element T>
  array_view<T> block(std::uint64_t number, failure& why) const noexcept TGMAP_LIFETIMEBOUND {
    std::array<std::uint64_t, max_rank> shape{};
    std::array<std::int64_t, max_rank> strides{};
    const std::size_t rank = arrange(dtype_of<T>, alignof(T), false, shape, strides, why);
    if (!why && number >= blocks_) why = {.code = tgmap::errc::out_of_range, .expected = blocks_, .found = number};
    if (why) return {};
    const std::byte* begin = cells_.data() + number * type_.block_bytes();
    return {reinterpret_cast<const T*>(begin), {shape.data(), rank}, {strides.data(), rank}, why};
  }

  /// Returns the label of a block in a mapped dimension. `mapped` counts the mapped dimensions in sorted order, from 0.
  /// Errors: tgmap::errc::out_of_range; bad_constant (the tables in an archive are wrong).
  /// Complexity: O(1).
  std::string_view label(std::uint64_t block, std::size_t mapped = 0) const TGMAP_LIFETIMEBOUND;
  std::string_view label(std::uint64_t block, std::size_t mapped, failure&) const noexcept TGMAP_LIFETIMEBOUND;
  std::string_view label(std::uint64_t block, failure& why) const noexcept TGMAP_LIFETIMEBOUND {
    return label(block, 0, why);
  }

  /// Returns the block with these mapped labels, in the sorted order of their dimensions, or nothing.
  /// Complexity: O(labels) expected.
  std::optional<std::uint64_t> find_block(std::span<const std::string_view> labels) const noexcept;
  std::optional<std::uint64_t> find_block(std::string_view label) const noexcept { return find_block({&label, 1}); }

  /// Returns the index of the cell at an address, or nothing if its block is not stored. The address names every
  /// dimension once, in any order.
  /// Errors: unknown_dimension, repeated_dimension, missing_dimension, bad_index, index_range.
  /// Complexity: O(dimensions) expected, without allocation.
  std::optional<std::uint64_t> find(address) const;
  std::optional<std::uint64_t> find(address, failure&) const noexcept;
  std::optional<std::uint64_t> find(std::initializer_list<address_part> at) const {
    return find(address(at.begin(), at.size()));
  }
  std::optional<std::uint64_t> find(std::initializer_list<address_part> at, failure& why) const noexcept {
    return find(address(at.begin(), at.size()), why);
  }

  /// Returns the value of a cell. `cell` must be less than `size()`; this is not checked.
  double value(std::uint64_t cell) const noexcept;
  /// Returns the value of the cell at an address.
  /// Errors: those of `find`; no_such_cell.
  double cell(address) const;
  double cell(address, failure&) const noexcept;
  double cell(std::initializer_list<address_part> at) const { return cell(address(at.begin(), at.size())); }
  double cell(std::initializer_list<address_part> at, failure& why) const noexcept {
    return cell(address(at.begin(), at.size()), why);
  }

  /// Checks the tables of a constant from an untrusted archive: every label is readable, and a lookup of the labels of
  /// each block finds that block.
  /// Errors: bad_constant (`found` is the block).
  /// Complexity: O(blocks).
  [[nodiscard]] failure validate() const noexcept;

 private:
  friend struct constant_access;
  std::size_t arrange(dtype as, std::size_t alignment, bool with_blocks, std::array<std::uint64_t, max_rank>&,
                      std::array<std::int64_t, max_rank>&, failure&) const noexcept;

  tensor_type type_{};
  std::uint64_t blocks_ = 0;
  std::span<const std::byte> cells_{}, text_{}, offsets_{}, table_{};  // see docs/constant.md; loaded byte by byte
  std::uint64_t seed_ = 0;
  bool borrowed_ = false;
  pin owner_{};
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

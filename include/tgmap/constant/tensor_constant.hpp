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

/// A dimension and a label in it, for addresses: `{"key", "abc"}` or `{"x", 2}`. Borrows both texts.
class address_part {
 public:
  address_part(std::string_view name, std::string_view text) noexcept : dimension(name), label(text) {}
  address_part(std::string_view name, const char* text) noexcept : dimension(name), label(text) {}
  address_part(std::string_view name, std::integral auto number) noexcept
      : dimension(name), index(static_cast<std::uint64_t>(number)), has_index(true), is_negative(number < 0) {}

  std::string_view dimension;
  std::string_view label{};  ///< of an indexed dimension: decimal digits
  std::uint64_t index = 0;   ///< of a mapped dimension: its decimal digits are the label
  bool has_index = false, is_negative = false;
};
using address = std::span<const address_part>;

/// A tensor constant: blocks of cells, each found by its mapped labels. Read-only.
///
/// Its cells, labels and lookup table lie in memory of its own, or in the mapping of an archive, and are used where
/// they are: nothing is built when it is opened. Copies share them (O(1)) and keep them alive. Cells are of this
/// machine's byte order. What lies in an archive is checked wherever it is used; no lookup reads outside.
/// Reading from any number of threads is safe.
class TGMAP_API tensor_constant {
 public:
  tensor_constant() noexcept = default;  ///< the scalar without a block: no cells

  /// A dense constant, or a scalar, of cells in C order; borrows them and keeps `owner`.
  /// Errors: wrong_form (a type with mapped dimensions), tgmap::errc::payload_size.
  static tensor_constant of(tensor_type, std::span<const std::byte> cells, pin owner);
  static tensor_constant of(tensor_type, std::span<const std::byte> cells, pin owner, failure&) noexcept;

  const tensor_type& type() const noexcept TGMAP_LIFETIMEBOUND { return type_; }
  std::uint64_t blocks() const noexcept { return blocks_; }                      ///< of a dense one 1
  std::uint64_t size() const noexcept { return blocks_ * type_.block_cells(); }  ///< cells
  std::span<const std::byte> bytes() const noexcept TGMAP_LIFETIMEBOUND {
    return cells_;
  }                                                        ///< all cells, block after block
  bool is_borrowed() const noexcept { return borrowed_; }  ///< all of it lies in a mapping

  /// All cells, `[block, indexed dimensions...]`; without mapped dimensions `[indexed dimensions...]`. As a
  /// Boost.MultiArray by as_multi_array. O(1). Errors: tgmap::errc::dtype_mismatch, misaligned.
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

  /// One block, `[indexed dimensions...]`. O(1). Errors: as cells; tgmap::errc::out_of_range.
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

  /// The label of a block in the `mapped`th mapped dimension, by sorted name. O(1).
  /// Errors: tgmap::errc::out_of_range; bad_constant (an archive's tables are wrong).
  std::string_view label(std::uint64_t block, std::size_t mapped = 0) const TGMAP_LIFETIMEBOUND;
  std::string_view label(std::uint64_t block, std::size_t mapped, failure&) const noexcept TGMAP_LIFETIMEBOUND;
  std::string_view label(std::uint64_t block, failure& why) const noexcept TGMAP_LIFETIMEBOUND {
    return label(block, 0, why);
  }

  /// The block of these mapped labels, in sorted order of their dimensions; nothing where there is none. O(1) expected.
  std::optional<std::uint64_t> find_block(std::span<const std::string_view> labels) const noexcept;
  std::optional<std::uint64_t> find_block(std::string_view label) const noexcept { return find_block({&label, 1}); }

  /// The number of the cell at an address that names every dimension once, in any order; nothing where its block is
  /// not stored. O(dimensions), no allocation. Errors: unknown_dimension, repeated_dimension, missing_dimension,
  /// bad_index, index_range.
  std::optional<std::uint64_t> find(address) const;
  std::optional<std::uint64_t> find(address, failure&) const noexcept;
  std::optional<std::uint64_t> find(std::initializer_list<address_part> at) const {
    return find(address(at.begin(), at.size()));
  }
  std::optional<std::uint64_t> find(std::initializer_list<address_part> at, failure& why) const noexcept {
    return find(address(at.begin(), at.size()), why);
  }

  /// The value of a cell by its number below size(), which is not checked.
  double value(std::uint64_t cell) const noexcept;
  /// The value at an address. Errors: as find; no_such_cell.
  double cell(address) const;
  double cell(address, failure&) const noexcept;
  double cell(std::initializer_list<address_part> at) const { return cell(address(at.begin(), at.size())); }
  double cell(std::initializer_list<address_part> at, failure& why) const noexcept {
    return cell(address(at.begin(), at.size()), why);
  }

  /// Looks at all of it: that labels are text, differ, and are found. O(blocks). For archives of others.
  /// Errors: bad_constant: `found` = the block.
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

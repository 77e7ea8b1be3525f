// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tgmap/constant/tensor_constant.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// A `builder` makes a constant block by block.
///
/// Memory grows in place. The lookup table has a random seed, so labels cannot be chosen to make it slow.
/// Complexity: O(1) to move.
/// Thread safety: one thread at a time.
class TGMAP_API builder {
 public:
  /// Starts a constant. A dense constant or a scalar has one block of zeros from the start; others have no block.
  ///
  /// `max_bytes` limits the bytes of all cells. After an error the builder may only be destroyed.
  /// Errors: too_large, tgmap::errc::out_of_memory; those of the operating system if it has no random numbers.
  explicit builder(tensor_type, std::uint64_t max_bytes = default_max_bytes);
  builder(tensor_type, failure&) noexcept;
  builder(tensor_type, std::uint64_t max_bytes, failure&) noexcept;
  ~builder();
  builder(builder&&) noexcept;
  builder& operator=(builder&&) noexcept;

  /// Returns the type of the constant.
  const tensor_type& type() const noexcept TGMAP_LIFETIMEBOUND;
  /// Returns the number of blocks so far.
  std::uint64_t blocks() const noexcept;

  /// An `entry` is the result of `find_or_add`.
  struct entry {
    std::uint64_t block = 0;  ///< index of the block
    bool was_added = false;   ///< false if the block existed before
  };
  /// Returns the block with these mapped labels, in the sorted order of their dimensions. Adds a block of zeros if
  /// there is none.
  /// Errors: too_large, missing_dimension (not one label for each mapped dimension), tgmap::errc::out_of_memory.
  /// Complexity: O(labels) expected.
  entry find_or_add(std::span<const std::string_view> labels);
  entry find_or_add(std::span<const std::string_view> labels, failure&) noexcept;
  /// Returns the block with these mapped labels, or nothing.
  /// Complexity: O(labels) expected.
  std::optional<std::uint64_t> find(std::span<const std::string_view> labels) const noexcept;

  /// Prefetches the memory that a lookup of these labels needs. Call it some time before `find_or_add`.
  /// Complexity: O(labels).
  void prefetch(std::span<const std::string_view> labels) const noexcept;

  /// Returns the cells of one block for writing, in C order and in the byte order of this machine.
  /// Lifetime: until the next block is added.
  std::span<std::byte> cells(std::uint64_t block) noexcept TGMAP_LIFETIMEBOUND;

  /// Returns the constant. Afterwards the builder may only be destroyed.
  /// Complexity: O(1).
  tensor_constant finish() noexcept;

  /// The default limit of cells, 64 GiB.
  static constexpr std::uint64_t default_max_bytes = std::uint64_t{1} << 36;

 private:
  struct insides;
  std::unique_ptr<insides> insides_;
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

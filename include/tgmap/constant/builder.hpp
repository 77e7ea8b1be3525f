// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tgmap/constant/tensor_constant.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Makes a constant block by block. Memory grows in place; the lookup table is seeded by chance, so that nobody can
/// choose labels that make it slow. Of one thread at a time; moves in O(1).
class TGMAP_API builder {
 public:
  /// A dense constant or a scalar has its one block, of zeros, from the beginning; others have none. `most_bytes` of
  /// cells may be taken. One that could not be made may only be destroyed.
  /// Errors: too_large, tgmap::errc::out_of_memory; of the operating system, without a source of chance.
  explicit builder(tensor_type, std::uint64_t most_bytes = default_max_bytes);
  builder(tensor_type, failure&) noexcept;
  builder(tensor_type, std::uint64_t most_bytes, failure&) noexcept;
  ~builder();
  builder(builder&&) noexcept;
  builder& operator=(builder&&) noexcept;

  const tensor_type& type() const noexcept TGMAP_LIFETIMEBOUND;
  std::uint64_t blocks() const noexcept;

  /// A block and whether it was there before.
  struct entry {
    std::uint64_t block = 0;
    bool was_added = false;
  };
  /// The block of these mapped labels, in sorted order of their dimensions; added with cells of 0 where there is none.
  /// O(labels) expected. Errors: too_large, tgmap::errc::out_of_memory.
  entry find_or_add(std::span<const std::string_view> labels);
  entry find_or_add(std::span<const std::string_view> labels, failure&) noexcept;
  std::optional<std::uint64_t> find(std::span<const std::string_view> labels) const noexcept;

  /// A hint that these labels are asked for soon: what finding them needs is on its way meanwhile. O(labels).
  void prefetch(std::span<const std::string_view> labels) const noexcept;

  /// The cells of one block, to be written in C order in this machine's byte order; until the next block is added.
  std::span<std::byte> cells(std::uint64_t block) noexcept TGMAP_LIFETIMEBOUND;

  /// What was built; the builder is empty then, and good for nothing but being destroyed. O(1).
  tensor_constant finish() noexcept;

  static constexpr std::uint64_t default_max_bytes = std::uint64_t{1} << 36;

 private:
  struct insides;
  std::unique_ptr<insides> insides_;
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

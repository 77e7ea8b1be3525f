// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `missing_mask` marks the elements of an object that were NaN, or infinite, when it was written. It owns its bits.
/// Thread safety: any number of threads may read one.
/// Spec: §6.2.
class missing_mask {
 public:
  missing_mask() noexcept = default;  ///< a mask of no elements

  /// Takes a bit for each element, in the form that bits() returns.
  missing_mask(mask_kind kind, std::uint64_t elements, std::vector<std::byte> bits) noexcept
      : kind_(kind), elements_(elements), bits_(std::move(bits)) {}

  mask_kind kind() const noexcept { return kind_; }          ///< NaN, or one of the infinities
  std::uint64_t size() const noexcept { return elements_; }  ///< number of elements, marked or not

  /// Returns true if element `i` of the payload is marked. `i` must be below size(): debug builds and programs with
  /// _GLIBCXX_ASSERTIONS abort otherwise; others check nothing.
  /// Complexity: O(1).
  bool operator[](std::uint64_t i) const noexcept {
    TGMAP_ASSERT(i < size());
    return (std::to_integer<unsigned>(bits_[static_cast<std::size_t>(i / 8)]) >> (7 - i % 8) & 1) != 0;
  }

  /// Returns the same with a check in every build. Errors: out_of_range.
  bool at(std::uint64_t i) const {
    if (i >= elements_) detail::raise({.code = errc::out_of_range, .expected = elements_, .found = i});
    return (*this)[i];
  }

  /// Returns the number of marked elements. Complexity: O(size / 8).
  TGMAP_API std::uint64_t count() const noexcept;

  /// Returns the bits, eight elements in a byte, the first one in the highest bit. Bits after the last element are 0.
  /// Lifetime: as this mask.
  std::span<const std::byte> bits() const noexcept TGMAP_LIFETIMEBOUND { return bits_; }

 private:
  mask_kind kind_ = mask_kind::nan;
  std::uint64_t elements_ = 0;
  std::vector<std::byte> bits_{};
};

}  // namespace v0
}  // namespace tgmap

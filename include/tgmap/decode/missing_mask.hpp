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

/// Which elements of an object were NaN, or infinite, when it was written (§6.2). Owns its bits.
/// Reading from any number of threads is safe.
class missing_mask {
 public:
  missing_mask() noexcept = default;
  /// `bits` hold `elements` bits, the first one highest; those behind the last element are 0.
  missing_mask(mask_kind kind, std::uint64_t elements, std::vector<std::byte> bits) noexcept
      : kind_(kind), elements_(elements), bits_(std::move(bits)) {}

  mask_kind kind() const noexcept { return kind_; }
  std::uint64_t size() const noexcept { return elements_; }

  /// Returns whether element `i` of the payload is one of them. Debug builds and programs with _GLIBCXX_ASSERTIONS
  /// abort if there is no such element; in others nothing is checked. Complexity: O(1).
  bool operator[](std::uint64_t i) const noexcept {
    TGMAP_ASSERT(i < size());
    return (std::to_integer<unsigned>(bits_[static_cast<std::size_t>(i / 8)]) >> (7 - i % 8) & 1) != 0;
  }

  /// The same, always checked. Errors: out_of_range.
  bool at(std::uint64_t i) const {
    if (i >= elements_) detail::raise({.code = errc::out_of_range, .expected = elements_, .found = i});
    return (*this)[i];
  }

  /// How many elements are. O(elements / 8).
  TGMAP_API std::uint64_t count() const noexcept;

  /// Eight elements a byte, the first one highest; those behind the last element are 0.
  std::span<const std::byte> bits() const noexcept TGMAP_LIFETIMEBOUND { return bits_; }

 private:
  mask_kind kind_ = mask_kind::nan;
  std::uint64_t elements_ = 0;
  std::vector<std::byte> bits_{};
};

}  // namespace v0
}  // namespace tgmap

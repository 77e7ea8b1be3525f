// SPDX-License-Identifier: Apache-2.0
// Finds NaN and infinities in elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/descriptor.hpp>

namespace tgmap::validation {

enum class non_finite : std::uint8_t { nan, infinity };

/// An element that is not finite. `component` of complex numbers: 0 real, 1 imaginary.
struct non_finite_element {
  std::uint64_t index = 0;
  non_finite kind{};
  unsigned component = 0;
};

/// Returns the first element from index `first` on that is not finite, if there is one. `bytes` are whole elements in
/// the given byte order. Elements of other dtypes than floating and complex ones are always finite.
/// Complexity: O(bytes).
std::optional<non_finite_element> find_non_finite(std::span<const std::byte> bytes, dtype, byte_order,
                                                  std::uint64_t first = 0);

/// Returns true for floating and complex dtypes.
bool is_floating(dtype) noexcept;

}  // namespace tgmap::validation

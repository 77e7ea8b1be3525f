// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/descriptor.hpp>

namespace tgmap::checks {

enum class non_finite : std::uint8_t { nan, infinity };

/// An element that is not finite: which, and in complex numbers which component (0 real, 1 imaginary).
struct odd_element {
  std::uint64_t index = 0;
  non_finite what{};
  unsigned component = 0;
};

/// The first element of `bytes` from element `from` on that is not finite. `bytes` hold whole elements of a floating
/// or complex dtype in that byte order; nothing for other dtypes. O(bytes).
std::optional<odd_element> find_non_finite(std::span<const std::byte> bytes, dtype, byte_order, std::uint64_t from = 0);

/// Whether values of a dtype can be other than finite.
bool is_floating(dtype) noexcept;

}  // namespace tgmap::checks

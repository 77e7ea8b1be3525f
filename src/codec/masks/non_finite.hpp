// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/descriptor.hpp>

namespace tgmap::codec {

/// Returns the index of the first element that is NaN or infinite (complex numbers: in either component), or nothing.
/// Elements may have any address. Runs at the speed of memory.
[[nodiscard]] std::optional<std::uint64_t> find_non_finite(std::span<const std::byte> elements, dtype,
                                                           byte_order) noexcept;

}  // namespace tgmap::codec

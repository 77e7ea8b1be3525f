// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tgmap/descriptor.hpp>

namespace tgmap::codec {

/// The number of the first element that is NaN or infinite, of complex numbers in either component; none for types that
/// have no such values. Whole elements as they lie, at any address. As fast as memory.
[[nodiscard]] std::optional<std::uint64_t> find_non_finite(std::span<const std::byte> elements, dtype,
                                                           byte_order) noexcept;

}  // namespace tgmap::codec

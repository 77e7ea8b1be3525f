// SPDX-License-Identifier: Apache-2.0
// Passing over one CBOR item without recursion and without memory.
#pragma once

#include <cstddef>

namespace tgmap::cbor {

/// Containers of indefinite length inside each other that are followed; definite ones cost nothing.
inline constexpr std::size_t most_open_containers = 1024;

/// Behind the item that begins at `at`, or null when it is not well-formed within [at, end). O(bytes passed over).
[[nodiscard]] const std::byte* skip(const std::byte* at, const std::byte* end) noexcept;

}  // namespace tgmap::cbor

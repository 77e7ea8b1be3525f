// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// The digest that archives keep of their frames: XXH3, 64 bits, seed 0. O(bytes). Of bytes in a mapping run it in
/// mapping_guard::run where the file may become shorter.
TGMAP_API std::uint64_t xxh3(std::span<const std::byte>) noexcept;

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// Whether elements with these strides lie in C order, one behind the other. Extents of 1 do not count; without
/// elements they do. O(rank).
TGMAP_API bool in_c_order(std::span<const std::uint64_t> shape, std::span<const std::int64_t> strides) noexcept;

/// Copies elements into C order: the last index fastest, one behind the other to `to`. Any thread; no allocation.
///
/// `origin` is the element at indices 0; `width` its bytes: 1, 2, 4, 8 or 16. Strides count elements, as many as
/// extents and at most `max_rank`; 0 and below 0 too. Every element that they reach must be there to be read, and `to`
/// hold all of them, elsewhere: the caller has seen to that. O(elements), by tiles where that spares the caches.
TGMAP_API void gather_elements(const std::byte* origin, std::size_t width, std::span<const std::uint64_t> shape,
                               std::span<const std::int64_t> strides, std::byte* to) noexcept;

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
// The portable serialisation of a roaring bitmap, looked through before the library sees it: CRoaring checks that it
// does not read beyond the end, but believes counts, orders and keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// Whether this is exactly one well-formed bitmap, all of whose members are below `bits`. O(bytes), no allocation.
[[nodiscard]] bool well_formed_roaring(std::span<const std::byte>, std::uint64_t bits) noexcept;

}  // namespace tgmap::codec

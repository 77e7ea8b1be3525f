// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tgmap/dtype.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Copies cells from this machine's byte order to big-endian, or back: it is the same. The two do not overlap; at any
/// address.
void copy_big_endian(dtype cells, std::byte* to, const std::byte* from, std::size_t count) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

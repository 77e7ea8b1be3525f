// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tgmap/dtype.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Copies cells from the byte order of this machine to big-endian, or back. Any alignment; the ranges must not overlap.
void copy_big_endian(dtype cells, std::byte* to, const std::byte* from, std::size_t count) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/dtype.hpp>
#include <tgmap/error.hpp>

namespace tgmap::decode {

/// Writes `elements` numbers, which are in this machine's byte order, as another type, in this machine's byte order;
/// both spans are aligned for every element. Narrower floats are rounded to the nearest, ties to even. Errors:
/// not_representable (found = number of the first element that `as` cannot hold); then `to` holds anything.
failure convert(std::span<const std::byte> from, dtype is, std::span<std::byte> to, dtype as,
                std::uint64_t elements) noexcept;

}  // namespace tgmap::decode

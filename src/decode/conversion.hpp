// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/dtype.hpp>
#include <tgmap/error.hpp>

namespace tgmap::decode {

/// Converts `elements` numbers to another type. Both are in this machine's byte order and aligned. Rounds to narrower
/// floats to the nearest, ties to even. After a failure `to` may hold anything.
/// Errors: not_representable (found = index of the first element that `to_type` cannot represent).
failure convert(std::span<const std::byte> from, dtype from_type, std::span<std::byte> to, dtype to_type,
                std::uint64_t elements) noexcept;

}  // namespace tgmap::decode

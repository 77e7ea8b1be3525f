// SPDX-License-Identifier: Apache-2.0
// Unpacks simple_packing (§7.1): unsigned integers of any width next to each other, the high bit first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tgmap::codec {

inline constexpr unsigned max_packed_bits = 64;

/// Returns the bytes that `elements` elements of `bits` bits take, or nothing on overflow.
[[nodiscard]] std::optional<std::uint64_t> packed_size(std::uint64_t elements, unsigned bits) noexcept;

/// Returns 2^binary * 10^-decimal, bit for bit as the format's writers compute it: both powers by repeated squaring;
/// negative exponents as the reciprocal of the positive power.
[[nodiscard]] double scale_of(std::int32_t binary, std::int32_t decimal) noexcept;

/// Writes `out[i] = reference + scale * X`, where X is element `first + i`: one multiplication and one addition, never
/// fused. With 0 bits every element is `reference`. Reads nothing outside of `packed`. Uses the fastest kernel of this
/// machine. Returns false and writes nothing if `packed` does not hold the elements or `bits` exceeds max_packed_bits.
[[nodiscard]] bool unpack(std::span<const std::byte> packed, unsigned bits, double reference, double scale,
                          std::uint64_t first, std::span<double> out) noexcept;

/// Does the same by a plain loop.
[[nodiscard]] bool unpack_plain(std::span<const std::byte> packed, unsigned bits, double reference, double scale,
                                std::uint64_t first, std::span<double> out) noexcept;

/// Checks that `packed` holds the elements [first, first + count).
[[nodiscard]] bool holds_packed(std::span<const std::byte> packed, unsigned bits, std::uint64_t first,
                                std::uint64_t count) noexcept;

}  // namespace tgmap::codec

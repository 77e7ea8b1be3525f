// SPDX-License-Identifier: Apache-2.0
// simple_packing (§7.1): numbers as unsigned integers of any width, one after the other, the high bit first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tgmap::codec {

inline constexpr unsigned most_packed_bits = 64;

/// Bytes that hold so many elements of `bits` bits; nothing on overflow.
[[nodiscard]] std::optional<std::uint64_t> packed_size(std::uint64_t elements, unsigned bits) noexcept;

/// 2^binary * 10^-decimal, bit for bit as the format's own writers compute it: both powers by repeated squaring, the
/// reciprocal of the positive one where the exponent is negative.
[[nodiscard]] double scale_of(std::int32_t binary, std::int32_t decimal) noexcept;

/// `out[i] = reference + scale * X`, where X is element `first + i`: one multiplication and one addition, never fused.
/// No bits: every element is `reference`. False, with nothing written, when `packed` does not hold those elements or
/// `bits` are more than `most_packed_bits`. Reads nothing outside of `packed`. The fastest kernel of this machine.
[[nodiscard]] bool unpack(std::span<const std::byte> packed, unsigned bits, double reference, double scale,
                          std::uint64_t first, std::span<double> out) noexcept;

/// The same element by element, on any machine.
[[nodiscard]] bool unpack_plain(std::span<const std::byte> packed, unsigned bits, double reference, double scale,
                                std::uint64_t first, std::span<double> out) noexcept;

/// Whether `packed` holds the elements [first, first + count).
[[nodiscard]] bool holds_packed(std::span<const std::byte> packed, unsigned bits, std::uint64_t first,
                                std::uint64_t count) noexcept;

}  // namespace tgmap::codec

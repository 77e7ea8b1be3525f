// SPDX-License-Identifier: Apache-2.0
// The filter shuffle (§7.2): the first bytes of all elements, then the second bytes of all, and so on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// Checks that `bytes` bytes are a whole number of elements.
[[nodiscard]] constexpr bool can_be_shuffled(std::uint64_t bytes, std::uint64_t element_size) noexcept {
  return element_size != 0 && bytes % element_size == 0;
}

/// The order of the bytes within one element.
enum class byte_sequence : std::uint8_t {
  as_stored,
  reversed,  ///< the other byte order, at no extra cost
};

/// Restores the elements from `first` on, as many as `out` holds. The sizes of both spans are multiples of
/// `element_size`, the elements exist, and the spans do not overlap.
void unshuffle(std::span<const std::byte> shuffled, std::size_t element_size, std::uint64_t first,
               std::span<std::byte> out, byte_sequence = byte_sequence::as_stored) noexcept;

/// Does the same byte by byte.
void unshuffle_plain(std::span<const std::byte> shuffled, std::size_t element_size, std::uint64_t first,
                     std::span<std::byte> out, byte_sequence = byte_sequence::as_stored) noexcept;

/// Shuffles elements into `out`, which has the same size.
void shuffle(std::span<const std::byte> elements, std::size_t element_size, std::span<std::byte> out) noexcept;

/// Does the same byte by byte.
void shuffle_plain(std::span<const std::byte> elements, std::size_t element_size, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec

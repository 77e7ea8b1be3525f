// SPDX-License-Identifier: Apache-2.0
// The filter shuffle (§7.2): the first bytes of all elements, then all second bytes, and so on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// Whether so many bytes can be shuffled by elements of that size.
[[nodiscard]] constexpr bool can_be_shuffled(std::uint64_t bytes, std::uint64_t element_size) noexcept {
  return element_size != 0 && bytes % element_size == 0;
}

/// How the bytes of one element follow each other.
enum class byte_sequence : std::uint8_t {
  as_stored,
  reversed,  ///< a number in the other byte order, for no more than the plain one costs
};

/// The elements from `first` on, as many as `out` holds, in their own order. Both sizes can be shuffled, the elements
/// are there, and the two do not overlap.
void unshuffle(std::span<const std::byte> shuffled, std::size_t element_size, std::uint64_t first,
               std::span<std::byte> out, byte_sequence = byte_sequence::as_stored) noexcept;

/// The same byte by byte.
void unshuffle_plain(std::span<const std::byte> shuffled, std::size_t element_size, std::uint64_t first,
                     std::span<std::byte> out, byte_sequence = byte_sequence::as_stored) noexcept;

/// The way out: as many bytes, which can be shuffled, into others.
void shuffle(std::span<const std::byte> elements, std::size_t element_size, std::span<std::byte> out) noexcept;

/// The same byte by byte.
void shuffle_plain(std::span<const std::byte> elements, std::size_t element_size, std::span<std::byte> out) noexcept;

}  // namespace tgmap::codec

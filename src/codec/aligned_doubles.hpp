// SPDX-License-Identifier: Apache-2.0
// Doubles for libraries that read them as such, out of bytes that may lie anywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// Bytes that a copy of them takes; 0 where none is needed.
inline std::size_t room_for_copy(std::span<const std::byte> doubles) noexcept {
  return reinterpret_cast<std::uintptr_t>(doubles.data()) % alignof(double) == 0 ? 0 : doubles.size();
}

/// Where they can be read: as they lie, or copied to `room`, which is aligned and takes room_for_copy of them.
inline const double* aligned_doubles(std::span<const std::byte> doubles, std::span<std::byte> room) noexcept {
  if (room_for_copy(doubles) == 0) return reinterpret_cast<const double*>(doubles.data());
  std::copy(doubles.begin(), doubles.end(), room.begin());
  return reinterpret_cast<const double*>(room.data());
}

}  // namespace tgmap::codec

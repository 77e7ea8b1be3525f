// SPDX-License-Identifier: Apache-2.0
// Aligned doubles for libraries, from bytes at any address.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// Returns the size of the aligned copy that `doubles` needs; 0 if they are aligned already.
inline std::size_t aligned_copy_size(std::span<const std::byte> doubles) noexcept {
  return reinterpret_cast<std::uintptr_t>(doubles.data()) % alignof(double) == 0 ? 0 : doubles.size();
}

/// Returns `doubles` if they are aligned; else copies them to `room`, which is aligned and holds aligned_copy_size().
inline const double* aligned_doubles(std::span<const std::byte> doubles, std::span<std::byte> room) noexcept {
  if (aligned_copy_size(doubles) == 0) return reinterpret_cast<const double*>(doubles.data());
  std::copy(doubles.begin(), doubles.end(), room.begin());
  return reinterpret_cast<const double*>(room.data());
}

}  // namespace tgmap::codec

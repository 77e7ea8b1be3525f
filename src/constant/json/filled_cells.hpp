// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <new>

#include "constant/grown_memory.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// One bit for each cell, whether it was told. Those of cells that nobody asked for take no memory.
class filled_cells {
 public:
  void begin(std::uint64_t cells) {
    if (!bits_.zeros(static_cast<std::size_t>(cells / 8 + 1))) throw std::bad_alloc();
  }

  /// As many cells as there are now.
  void grow(std::uint64_t cells) {
    const auto wanted = static_cast<std::size_t>(cells / 8 + 1);
    if (wanted <= bits_.size()) return;
    const std::size_t before = bits_.size();
    if (!bits_.add(wanted - before)) throw std::bad_alloc();
    std::memset(bits_.data() + before, 0, wanted - before);
  }

  /// Whether that cell is told for the first time.
  bool fill(std::uint64_t cell) noexcept {
    std::byte& byte = bits_.data()[cell / 8];
    const auto bit = static_cast<std::byte>(1u << (cell % 8));
    const bool first = (byte & bit) == std::byte{0};
    byte |= bit;
    return first;
  }

 private:
  grown_memory bits_{};
};

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap

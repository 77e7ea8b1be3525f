// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>

namespace tgmap::core {

/// Mapped blocks that were given back, for whoever takes as many bytes next: the system clears the pages of fresh
/// memory, which takes longer than unpacking into them, and threads that map and unmap wait for each other. Without
/// this, two threads decode packed fields of 4 MiB no faster than one. Telling the system that it may have the pages
/// (MADV_FREE) would cost half of that again. Any thread; nobody waits.
class block_cache {
 public:
  /// What all kept blocks may come to. The block that was given back first goes first.
  static constexpr std::size_t most = std::size_t{64} << 20;

  /// A block of exactly that many bytes, whose content is anything; null when none is kept.
  std::byte* take(std::size_t bytes) noexcept;

  /// Keeps a private mapping, or unmaps it.
  void give(std::span<std::byte> block) noexcept;

 private:
  class turn;
  static constexpr std::size_t most_blocks = 32;

  std::span<std::byte> remove(std::size_t i) noexcept;

  std::atomic_flag busy_{};
  std::array<std::span<std::byte>, most_blocks> blocks_{};  ///< the first `count_`, oldest first
  std::size_t count_ = 0, bytes_ = 0;
};

}  // namespace tgmap::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>

namespace tgmap::core {

/// A `block_cache` keeps mapped blocks that were freed, for the next request of the same size. Without it the system
/// clears the pages of each new block, which takes longer than unpacking into them, and threads wait for each other in
/// mmap: two threads decode packed fields of 4 MiB no faster than one. With MADV_FREE half of the gain would be lost.
/// Thread safety: all members may run in any number of threads; none waits.
class block_cache {
 public:
  /// Maximum total size of the blocks. The oldest block is freed first.
  static constexpr std::size_t most = std::size_t{64} << 20;

  /// Returns a block of exactly that size with unspecified content; null if there is none.
  std::byte* take(std::size_t bytes) noexcept;

  /// Keeps a private mapping, or unmaps it.
  void give(std::span<std::byte> block) noexcept;

 private:
  class exclusive_use;
  static constexpr std::size_t max_blocks = 32;

  std::span<std::byte> remove(std::size_t i) noexcept;

  std::atomic_flag busy_{};
  std::array<std::span<std::byte>, max_blocks> blocks_{};  ///< the first `count_`, oldest first
  std::size_t count_ = 0, bytes_ = 0;
};

}  // namespace tgmap::core

// SPDX-License-Identifier: Apache-2.0
// Caches how many piece offsets of recently read objects were checked, so that they are not checked again.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `checked_offsets` is a hash table of fixed size with one object a slot. A new object replaces the old one. The
/// offsets of message and frame identify an object.
/// Thread safety: all members may run in any number of threads.
class checked_offsets {
 public:
  /// `archive`: size of the archive in bytes. The table takes at most a tenth of it, or 384 bytes.
  explicit checked_offsets(std::uint64_t archive) noexcept
      : shift_(static_cast<unsigned>(std::countl_zero(std::clamp<std::uint64_t>(archive / 256, 16, 2048))) + 1) {}

  /// Returns how many offsets of the object, from the first one on, are known to be right.
  std::uint64_t find(std::uint64_t message, std::uint64_t frame) const noexcept {
    const std::lock_guard lock(mutex_);
    if (!slots_) return 0;
    const slot& stored = slots_[slot_of(message, frame)];
    return stored.message == message && stored.frame == frame ? stored.count : 0;
  }

  /// Stores a count. Memory is allocated by the first call; without memory nothing is stored.
  void add(std::uint64_t message, std::uint64_t frame, std::uint64_t count) noexcept {
    const std::lock_guard lock(mutex_);
    if (!slots_) slots_.reset(new (std::nothrow) slot[std::size_t{1} << (64 - shift_)]());
    if (!slots_) return;
    slot& stored = slots_[slot_of(message, frame)];
    const bool same = stored.message == message && stored.frame == frame;
    stored = {message, frame, same ? std::max(stored.count, count) : count};
  }

 private:
  struct slot {
    std::uint64_t message, frame, count;
  };

  std::size_t slot_of(std::uint64_t message, std::uint64_t frame) const noexcept {
    return static_cast<std::size_t>((message + frame * 0xff51afd7ed558ccdU) * 0x9e3779b97f4a7c15U >> shift_);
  }

  unsigned shift_;  // leaves as many bits of the hash as select a slot
  mutable std::mutex mutex_;
  std::unique_ptr<slot[]> slots_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

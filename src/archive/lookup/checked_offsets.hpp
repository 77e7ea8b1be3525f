// SPDX-License-Identifier: Apache-2.0
// Remembers how many places of pieces were proven in the objects read last. The next reader need not prove them again.
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

/// A table of fixed size, one object a slot: one that comes later takes the place of one that was there. An object is
/// known by where its message and its frame begin, which decide all of its bytes. Any thread.
class checked_offsets {
 public:
  /// `archive`: its bytes. Takes a tenth of them at most, or 384 bytes.
  explicit checked_offsets(std::uint64_t archive) noexcept
      : shift_(static_cast<unsigned>(std::countl_zero(std::clamp<std::uint64_t>(archive / 256, 16, 2048))) + 1) {}

  /// How many places of that object are known to be right, from the first one on.
  std::uint64_t find(std::uint64_t message, std::uint64_t frame) const noexcept {
    const std::lock_guard lock(mutex_);
    if (!slots_) return 0;
    const slot& there = slots_[slot_of(message, frame)];
    return there.message == message && there.frame == frame ? there.count : 0;
  }

  /// Remembers it; memory is taken at the first call, and without it nothing is remembered.
  void add(std::uint64_t message, std::uint64_t frame, std::uint64_t count) noexcept {
    const std::lock_guard lock(mutex_);
    if (!slots_) slots_.reset(new (std::nothrow) slot[std::size_t{1} << (64 - shift_)]());
    if (!slots_) return;
    slot& there = slots_[slot_of(message, frame)];
    const bool same = there.message == message && there.frame == frame;
    there = {message, frame, same ? std::max(there.count, count) : count};
  }

 private:
  struct slot {
    std::uint64_t message, frame, count;
  };

  std::size_t slot_of(std::uint64_t message, std::uint64_t frame) const noexcept {
    return static_cast<std::size_t>((message + frame * 0xff51afd7ed558ccdU) * 0x9e3779b97f4a7c15U >> shift_);
  }

  unsigned shift_;  // leaves as many bits of a hash as number a slot
  mutable std::mutex mutex_;
  std::unique_ptr<slot[]> slots_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

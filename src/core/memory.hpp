// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>
#include <utility>

namespace tgmap::core {

/// Alignment for every element type and for vector loads.
inline constexpr std::size_t memory_alignment = 64;

/// From this size on, memory is in huge pages if the system has them. Clearing pages of 4 KiB takes twice as long as
/// decoding.
inline constexpr std::size_t min_huge_size = std::size_t{4} << 20;

/// Largest buffer that is kept from one object to the next.
inline constexpr std::size_t max_kept_size = std::size_t{64} << 20;

/// Allocates exactly `bytes` uninitialised bytes. The result is never null, also for 0 bytes. Free it by free_memory.
/// Errors: out_of_memory.
std::span<std::byte> allocate_memory(std::uint64_t bytes, failure& why) noexcept;
void free_memory(std::span<std::byte> memory) noexcept;

/// Allocates zeros, of which the system gives only the pages that are used. calloc would clear memory that the process
/// has used before, all of it. Returns null without memory. Free it by free_zeros, with the same size.
void* allocate_zeros(std::size_t bytes) noexcept;
void free_zeros(void* memory, std::size_t bytes) noexcept;

/// Returns the items at a pointer. If it is null, first sets it to `count` items of zeros, unless another thread does.
/// Returns null without memory. Free them by free_zeros.
template <class Item>
Item* allocate_once(std::atomic<Item*>& items, std::size_t count) noexcept {
  Item* known = items.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  auto* const added = static_cast<Item*>(allocate_zeros(count * sizeof(Item)));
  if (added == nullptr || items.compare_exchange_strong(known, added, std::memory_order_acq_rel)) return added;
  free_zeros(added, count * sizeof(Item));
  return known;
}

/// Asks for huge pages in memory of at least `min_huge_size` bytes that was not touched yet.
void prefer_huge_pages(std::byte* from, std::size_t bytes) noexcept;

/// A `scratch` is memory for an intermediate stage. It is reused for the next object, and grows to the largest request.
class scratch {
 public:
  scratch() noexcept = default;
  scratch(scratch&& other) noexcept : memory_(std::exchange(other.memory_, {})) {}
  scratch& operator=(scratch&& other) noexcept {
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~scratch() { release(); }

  /// Returns exactly `bytes` bytes, valid until the next call. Errors: out_of_memory.
  std::span<std::byte> take(std::uint64_t bytes, failure& why) noexcept {
    if (bytes > memory_.size()) {
      release();
      memory_ = allocate_memory(bytes, why);
      if (why) return {};
    }
    return memory_.first(static_cast<std::size_t>(bytes));
  }

  std::size_t size() const noexcept { return memory_.size(); }  ///< capacity
  void release() noexcept { free_memory(std::exchange(memory_, {})); }

  /// Frees the memory if it is larger than `max_kept_size`.
  void trim() noexcept {
    if (memory_.size() > max_kept_size) release();
  }

 private:
  std::span<std::byte> memory_{};
};

}  // namespace tgmap::core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>
#include <utility>

namespace tgmap::core {

/// Alignment for every element type and for vector loads.
inline constexpr std::size_t memory_alignment = 64;

/// From this size on, memory comes in huge pages if the system has them: pages of 4 KiB are cleared at half the speed
/// of decoding.
inline constexpr std::size_t huge_from = std::size_t{4} << 20;

/// Largest buffer that is kept from one object to the next.
inline constexpr std::size_t most_kept = std::size_t{64} << 20;

/// Allocates exactly that many bytes, uninitialised; never null, also for 0 bytes. Free them by give_back. Errors:
/// out_of_memory.
std::span<std::byte> take_memory(std::uint64_t bytes, failure& why) noexcept;
void give_back(std::span<std::byte> memory) noexcept;

/// Asks for huge pages in memory of at least `huge_from` bytes that was not touched yet.
void prefer_huge_pages(std::byte* from, std::size_t bytes) noexcept;

/// Memory for an intermediate stage, reused for the next object. Grows to the largest request.
class scratch {
 public:
  scratch() noexcept = default;
  scratch(scratch&& other) noexcept : memory_(std::exchange(other.memory_, {})) {}
  scratch& operator=(scratch&& other) noexcept {
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~scratch() { release(); }

  /// Returns exactly that many bytes, valid until the next call. Errors: out_of_memory.
  std::span<std::byte> take(std::uint64_t bytes, failure& why) noexcept {
    if (bytes > memory_.size()) {
      release();
      memory_ = take_memory(bytes, why);
      if (why) return {};
    }
    return memory_.first(static_cast<std::size_t>(bytes));
  }

  std::size_t size() const noexcept { return memory_.size(); }  ///< capacity
  void release() noexcept { give_back(std::exchange(memory_, {})); }

  /// Frees the memory if it is larger than `most_kept`.
  void trim() noexcept {
    if (memory_.size() > most_kept) release();
  }

 private:
  std::span<std::byte> memory_{};
};

}  // namespace tgmap::core

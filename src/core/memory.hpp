// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>
#include <utility>

namespace tgmap::core {

/// Aligned for every element, and for vector loads.
inline constexpr std::size_t memory_alignment = 64;

/// From so many bytes on, memory comes in huge pages where the system has them: pages of 4 KiB are cleared at half the
/// speed of decoding.
inline constexpr std::size_t huge_from = std::size_t{4} << 20;

/// What works on one object after another keeps no buffer for the next one that is larger than this.
inline constexpr std::size_t most_kept = std::size_t{64} << 20;

/// Exactly that many bytes, whose content nobody has set; they may be 0, and still are not null. Give them back.
/// Errors: out_of_memory.
std::span<std::byte> take_memory(std::uint64_t bytes, failure& why) noexcept;
void give_back(std::span<std::byte> taken) noexcept;

/// Asks for huge pages in memory that comes from elsewhere and is not touched yet, where it is at least `huge_from`.
void prefer_huge_pages(std::byte* from, std::size_t bytes) noexcept;

/// Memory for a stage in between: kept and used again, as large as the largest one was.
class scratch {
 public:
  scratch() noexcept = default;
  scratch(scratch&& other) noexcept : memory_(std::exchange(other.memory_, {})) {}
  scratch& operator=(scratch&& other) noexcept {
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~scratch() { release(); }

  /// Exactly that many bytes, valid until the next call. Errors: out_of_memory.
  std::span<std::byte> take(std::uint64_t bytes, failure& why) noexcept {
    if (bytes > memory_.size()) {
      release();
      memory_ = take_memory(bytes, why);
      if (why) return {};
    }
    return memory_.first(static_cast<std::size_t>(bytes));
  }

  std::size_t size() const noexcept { return memory_.size(); }  ///< that are kept
  void release() noexcept { give_back(std::exchange(memory_, {})); }

  /// Gives back what is too large to be kept.
  void trim() noexcept {
    if (memory_.size() > most_kept) release();
  }

 private:
  std::span<std::byte> memory_{};
};

}  // namespace tgmap::core

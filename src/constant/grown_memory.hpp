// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Bytes that grow at the end. Large ones grow where they are, by moving pages instead of bytes: never are there two
/// copies, as of a vector.
class grown_memory {
 public:
  grown_memory() noexcept = default;
  grown_memory(grown_memory&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        room_(std::exchange(other.room_, 0)) {}
  grown_memory& operator=(grown_memory&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    return *this;
  }
  ~grown_memory() { std::free(memory_); }

  std::byte* data() const noexcept { return memory_; }
  std::size_t size() const noexcept { return size_; }
  std::span<const std::byte> bytes() const noexcept { return {memory_, size_}; }

  /// Becomes that many bytes of 0, which take no memory until they are written. Whether there is room.
  [[nodiscard]] bool zeros(std::size_t size) noexcept {
    std::free(memory_);
    memory_ = static_cast<std::byte*>(std::calloc(std::max<std::size_t>(size, 1), 1));
    size_ = room_ = memory_ != nullptr ? size : 0;
    prefer_huge_pages();
    return memory_ != nullptr;
  }

  /// Grows by that many bytes, which nobody has set. Whether there was room; else nothing has changed.
  [[nodiscard]] bool add(std::size_t more) noexcept {
    if (more > room_ - size_) {
      if (more > PTRDIFF_MAX - size_) return false;
      const std::size_t room = std::max({size_ + more, room_ + room_ / 2, std::size_t{256}});
      auto* moved = static_cast<std::byte*>(std::realloc(memory_, room));
      if (moved == nullptr) return false;
      memory_ = moved;
      room_ = room;
    }
    size_ += more;
    return true;
  }
  void drop(std::size_t last) noexcept { size_ -= last; }

  /// Gives back what it does not need.
  void trim() noexcept {
    if (size_ == room_ || size_ == 0) return;
    if (auto* smaller = static_cast<std::byte*>(std::realloc(memory_, size_))) {
      memory_ = smaller;
      room_ = size_;
    }
  }

 private:
  /// Nearly all that filling much fresh memory takes are page faults. Inside it whole pages are its own.
  void prefer_huge_pages() noexcept {
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
    const auto from = reinterpret_cast<std::uintptr_t>(memory_), begin = (from + page - 1) / page * page;
    const std::uintptr_t end = (from + size_) / page * page;
    if (begin < end && end - begin >= 2 * page)
      ::madvise(memory_ + (begin - from), end - begin, MADV_HUGEPAGE);  // a hint: without it pages are small
#endif
  }

  std::byte* memory_ = nullptr;
  std::size_t size_ = 0, room_ = 0;
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
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
        room_(std::exchange(other.room_, 0)),
        huge_(std::exchange(other.huge_, false)) {}
  grown_memory& operator=(grown_memory&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    std::swap(huge_, other.huge_);
    return *this;
  }
  ~grown_memory() { give_back(); }

  std::byte* data() const noexcept { return memory_; }
  std::size_t size() const noexcept { return size_; }
  std::span<const std::byte> bytes() const noexcept { return {memory_, size_}; }

  /// Becomes that many bytes of 0, which take no memory until they are written. Whether there is room.
  [[nodiscard]] bool zeros(std::size_t size) noexcept {
    return take(size, [](std::size_t bytes) { return std::calloc(bytes, 1); });
  }

  /// Becomes that many bytes, which nobody has set. Whether there is room.
  [[nodiscard]] bool unset(std::size_t size) noexcept {
    return take(size, [](std::size_t bytes) { return std::malloc(bytes); });
  }

  /// Grows by that many bytes, which nobody has set. Whether there was room; else nothing has changed.
  [[nodiscard]] bool add(std::size_t more) noexcept {
    if (more > room_ - size_) {
      if (more > PTRDIFF_MAX - size_) return false;
      const std::size_t room = std::max({size_ + more, room_ + room_ / 2, std::size_t{256}});
      auto* moved = static_cast<std::byte*>(std::realloc(huge_ ? nullptr : memory_, room));
      if (moved == nullptr) return false;
      if (huge_) {
        std::memcpy(moved, memory_, size_);
        give_back();
      }
      memory_ = moved;
      room_ = room;
    }
    size_ += more;
    return true;
  }
  void drop(std::size_t last) noexcept { size_ -= last; }

  /// Gives back what it does not need.
  void trim() noexcept {
    if (huge_ || size_ == room_ || size_ == 0) return;
    if (auto* smaller = static_cast<std::byte*>(std::realloc(memory_, size_))) {
      memory_ = smaller;
      room_ = size_;
    }
  }

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  static std::size_t whole_huge_pages(std::size_t bytes) noexcept {
    return (bytes + huge_page - 1) / huge_page * huge_page;
  }

  /// New memory in huge pages, or what `allocate` gives.
  template <class Allocate>
  bool take(std::size_t size, Allocate allocate) noexcept {
    give_back();
    huge_ = size >= 2 * huge_page && size <= PTRDIFF_MAX - 2 * huge_page;
    if (huge_)
      memory_ = map_huge_pages(size);
    else
      memory_ = static_cast<std::byte*>(allocate(std::max<std::size_t>(size, 1)));
    size_ = room_ = memory_ != nullptr ? size : 0;
    return memory_ != nullptr;
  }

  /// Most of what filling new memory takes are faults of small pages. A page more is mapped, so that whole ones begin
  /// at the boundary of one; what sticks out is given back.
  static std::byte* map_huge_pages(std::size_t bytes) noexcept {
    const std::size_t size = whole_huge_pages(bytes);
    void* const mapped = ::mmap(nullptr, size + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    auto* const from = static_cast<std::byte*>(mapped);
    const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(from) % huge_page) % huge_page;
    if (before != 0) ::munmap(from, before);
    ::munmap(from + before + size, huge_page - before);
#ifdef MADV_HUGEPAGE
    ::madvise(from + before, size, MADV_HUGEPAGE);  // a hint: without it pages are small
#endif
    return from + before;
  }

  void give_back() noexcept {
    if (!huge_)
      std::free(memory_);
    else if (memory_ != nullptr)
      ::munmap(memory_, whole_huge_pages(room_));
    memory_ = nullptr;
    huge_ = false;
  }

  std::byte* memory_ = nullptr;
  std::size_t size_ = 0, room_ = 0;
  bool huge_ = false;  ///< mapped, and no memory of malloc
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

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

/// A `byte_buffer` is memory that grows at the end. Large buffers grow by remapping pages, so that memory never holds
/// two copies as with std::vector.
class byte_buffer {
 public:
  byte_buffer() noexcept = default;
  byte_buffer(byte_buffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)),
        is_mapped_(std::exchange(other.is_mapped_, false)) {}
  byte_buffer& operator=(byte_buffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(is_mapped_, other.is_mapped_);
    return *this;
  }
  ~byte_buffer() { release(); }

  std::byte* data() const noexcept { return memory_; }
  std::size_t size() const noexcept { return size_; }
  std::span<const std::byte> bytes() const noexcept { return {memory_, size_}; }

  /// Replaces the content by zeros, which take no memory until they are written. Returns false without memory.
  [[nodiscard]] bool allocate_zeros(std::size_t size) noexcept {
    return replace(size, [](std::size_t bytes) { return std::calloc(bytes, 1); });
  }

  /// Replaces the content by uninitialized bytes. Returns false without memory.
  [[nodiscard]] bool allocate(std::size_t size) noexcept {
    return replace(size, [](std::size_t bytes) { return std::malloc(bytes); });
  }

  /// Adds uninitialized bytes at the end. Returns false without memory, and then changes nothing.
  [[nodiscard]] bool grow(std::size_t more) noexcept {
    if (more > capacity_ - size_ && !reserve(more)) return false;
    size_ += more;
    return true;
  }
  /// Removes bytes from the end.
  void shrink(std::size_t bytes) noexcept { size_ -= bytes; }

  /// Frees unused memory.
  void shrink_to_fit() noexcept {
    if (is_mapped_ || size_ == capacity_ || size_ == 0) return;
    if (auto* smaller = static_cast<std::byte*>(std::realloc(memory_, size_))) {
      memory_ = smaller;
      capacity_ = size_;
    }
  }

 private:
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  static std::size_t round_to_huge_pages(std::size_t bytes) noexcept {
    return (bytes + huge_page - 1) / huge_page * huge_page;
  }

  /// Makes room for `more` bytes at the end. Returns false without memory.
  [[gnu::noinline]] bool reserve(std::size_t more) noexcept {
    if (more > PTRDIFF_MAX - size_) return false;
    const std::size_t capacity = std::max({size_ + more, capacity_ + capacity_ / 2, std::size_t{256}});
    auto* moved = static_cast<std::byte*>(std::realloc(is_mapped_ ? nullptr : memory_, capacity));
    if (moved == nullptr) return false;
    if (is_mapped_) {
      std::memcpy(moved, memory_, size_);
      release();
    }
    memory_ = moved;
    capacity_ = capacity;
    return true;
  }

  /// Allocates large memory in huge pages, other memory by `allocate_small`.
  template <class Allocate>
  bool replace(std::size_t size, Allocate allocate_small) noexcept {
    release();
    is_mapped_ = size >= 2 * huge_page && size <= PTRDIFF_MAX - 2 * huge_page;
    if (is_mapped_)
      memory_ = map_huge_pages(size);
    else
      memory_ = static_cast<std::byte*>(allocate_small(std::max<std::size_t>(size, 1)));
    size_ = capacity_ = memory_ != nullptr ? size : 0;
    return memory_ != nullptr;
  }

  /// Filling new memory mostly costs faults of small pages. Maps one page more, to align the memory to huge pages, and
  /// unmaps what is outside.
  static std::byte* map_huge_pages(std::size_t bytes) noexcept {
    const std::size_t size = round_to_huge_pages(bytes);
    void* const mapped = ::mmap(nullptr, size + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    auto* const from = static_cast<std::byte*>(mapped);
    const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(from) % huge_page) % huge_page;
    if (before != 0) ::munmap(from, before);
    ::munmap(from + before + size, huge_page - before);
#ifdef MADV_HUGEPAGE
    ::madvise(from + before, size, MADV_HUGEPAGE);  // only a hint
#endif
    return from + before;
  }

  void release() noexcept {
    if (!is_mapped_)
      std::free(memory_);
    else if (memory_ != nullptr)
      ::munmap(memory_, round_to_huge_pages(capacity_));
    memory_ = nullptr;
    is_mapped_ = false;
  }

  std::byte* memory_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
  bool is_mapped_ = false;  ///< otherwise allocated by malloc
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
// How elements lie that can be used in place. Objects of one archive mostly share a few layouts.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <tgmap/detail/dimensions.hpp>
#include <tgmap/dtype.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// All that a view needs to know of a descriptor whose elements can be used where they lie.
struct element_layout {
  dtype type{};
  bool c_order = false;          ///< strides are those of C order
  std::uint64_t size_bytes = 0;  ///< of all elements
  detail::dimensions dimensions{};
};

/// The layouts of an archive, each once, under numbers from 1 on. Nothing is ever removed or moved.
/// Members may run in any number of threads; finding a layout takes no lock.
class element_layouts {
 public:
  static constexpr unsigned bits = 14;  ///< of a number

  /// For an archive of that many bytes: takes no more memory than it, but for a page.
  explicit element_layouts(std::uint64_t archive) noexcept;
  element_layouts(const element_layouts&) = delete;
  element_layouts& operator=(const element_layouts&) = delete;
  ~element_layouts();

  /// The layout of that number, which add() has returned; null for 0.
  const element_layout* operator[](std::size_t number) const noexcept {
    return number == 0 ? nullptr : memory_.load(std::memory_order_acquire)[number].load(std::memory_order_acquire);
  }

  /// The number of a layout; 0 when there is no room for another one, or no memory.
  std::uint16_t add(const element_layout&) noexcept;

 private:
  // Slots of layouts by their numbers, then numbers by the hash of a layout, four for each slot.
  using slot = std::atomic<const element_layout*>;
  using atomic_number = std::atomic<std::uint16_t>;
  static constexpr std::size_t probes = 8;  ///< what hashes alike and finds no place is not remembered

  atomic_number* numbers(slot* memory) const noexcept { return reinterpret_cast<atomic_number*>(memory + capacity_); }
  slot* take_memory() noexcept;
  std::uint16_t find(slot* memory, std::uint64_t hash, const element_layout&) const noexcept;

  std::size_t capacity_;  ///< a power of 2
  std::atomic<slot*> memory_{nullptr};
  std::mutex adding_;
  std::size_t count_ = 1;  ///< numbers given, 0 among them
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
// Layouts of elements that can be used in place. Most objects of an archive share a few layouts.
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

/// The part of a descriptor that a view needs. Only for elements that can be used in place.
struct element_layout {
  dtype type{};
  bool c_order = false;          ///< the strides are those of C order
  std::uint64_t size_bytes = 0;  ///< of all elements
  detail::dimensions dimensions{};
};

/// An `element_layouts` stores each layout of an archive once. Layouts have numbers from 1, and are never removed or
/// moved. Thread safety: all members may run in any number of threads; finding a layout takes no lock.
class element_layouts {
 public:
  static constexpr unsigned bits = 14;  ///< size of a layout number

  /// `archive`: size of the archive in bytes. The table takes at most that much memory, and a page.
  explicit element_layouts(std::uint64_t archive) noexcept;
  element_layouts(const element_layouts&) = delete;
  element_layouts& operator=(const element_layouts&) = delete;
  ~element_layouts();

  /// Returns the layout of a number that add() has returned; null for 0.
  const element_layout* operator[](std::size_t number) const noexcept {
    return number == 0 ? nullptr : memory_.load(std::memory_order_acquire)[number].load(std::memory_order_acquire);
  }

  /// Returns the number of a layout; 0 if the table is full or memory is missing.
  std::uint16_t add(const element_layout&) noexcept;

 private:
  // Slots of layouts by number, then numbers by the hash of a layout, four for each slot.
  using slot = std::atomic<const element_layout*>;
  using atomic_number = std::atomic<std::uint16_t>;
  static constexpr std::size_t bytes_of_slot = sizeof(slot) + 4 * sizeof(atomic_number);
  static constexpr std::size_t probes = 8;  ///< slots that are tried; without a free one a layout is not stored

  atomic_number* numbers(slot* memory) const noexcept { return reinterpret_cast<atomic_number*>(memory + capacity_); }
  slot* allocate_once() noexcept;
  std::uint16_t find(slot* memory, std::uint64_t hash, const element_layout&) const noexcept;

  std::size_t capacity_;  ///< a power of 2
  std::atomic<slot*> memory_{nullptr};
  std::mutex mutex_;
  std::size_t count_ = 1;  ///< numbers in use, with 0
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

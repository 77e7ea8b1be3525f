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

  /// `archive`: size of the archive in bytes. The tables take at most a sixth of that, and a page.
  explicit element_layouts(std::uint64_t archive) noexcept;
  element_layouts(const element_layouts&) = delete;
  element_layouts& operator=(const element_layouts&) = delete;
  ~element_layouts();

  /// Returns the layout of a number that add() has returned; null for 0.
  const element_layout* operator[](std::size_t number) const noexcept {
    return number == 0 ? nullptr
                       : table_.load(std::memory_order_acquire)->slots()[number].load(std::memory_order_acquire);
  }

  /// Returns the number of a layout; 0 if the table is full or memory is missing.
  std::uint16_t add(const element_layout&) noexcept;

 private:
  using slot = std::atomic<const element_layout*>;
  using atomic_number = std::atomic<std::uint16_t>;

  /// A `table` has slots of layouts by number, then numbers by the hash of a layout, four for each slot. If it is full,
  /// a larger one takes its place. The old one stays until the end, because other threads may read it.
  struct table {
    table* older;
    std::size_t capacity;

    static constexpr std::size_t bytes(std::size_t capacity) noexcept {
      return sizeof(table) + capacity * (sizeof(slot) + 4 * sizeof(atomic_number));
    }
    slot* slots() noexcept { return reinterpret_cast<slot*>(this + 1); }
    atomic_number& number_at(std::uint64_t hash) noexcept {
      return reinterpret_cast<atomic_number*>(slots() + capacity)[hash & (4 * capacity - 1)];
    }
    std::uint16_t find(std::uint64_t hash, const element_layout&) noexcept;
    bool insert(std::uint64_t hash, std::size_t number, const element_layout*) noexcept;
  };

  table* grow(table* old) noexcept;

  static constexpr std::size_t first_capacity = 64;
  static constexpr std::size_t probes = 8;  ///< places that are tried; without a free one a layout is not stored

  std::size_t max_capacity_;  ///< capacity of the largest table, a power of 2
  std::atomic<table*> table_{nullptr};
  std::mutex mutex_;
  std::size_t count_ = 1;  ///< numbers in use, with 0
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

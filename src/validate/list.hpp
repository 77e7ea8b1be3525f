// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace tgmap::checks {

/// Plain things one behind another, in memory that is used again for every message. What must not allocate writes to
/// `room()`, which is made elsewhere.
template <class T>
class list {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  /// Where the next one goes, with what was there before; null: there is no room. It is one of them after `take()`.
  T* room() noexcept { return size_ == room_ ? nullptr : &items_[size_]; }
  void take() noexcept { ++size_; }
  void add(const T& one) {
    if (size_ == room_) make_room();
    items_[size_++] = one;
  }
  void make_room() {
    const std::size_t more = std::max<std::size_t>(16, 2 * room_);
    auto items = std::make_unique<T[]>(more);
    std::copy_n(items_.get(), size_, items.get());
    items_ = std::move(items);
    room_ = more;
  }
  void clear() noexcept { size_ = 0; }

  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  const T& operator[](std::size_t i) const noexcept { return items_[i]; }
  T& back() noexcept { return items_[size_ - 1]; }
  const T* begin() const noexcept { return items_.get(); }
  const T* end() const noexcept { return items_.get() + size_; }

 private:
  std::unique_ptr<T[]> items_;
  std::size_t size_ = 0, room_ = 0;
};

}  // namespace tgmap::checks

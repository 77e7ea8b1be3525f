// SPDX-License-Identifier: Apache-2.0
// A set of rows, one bit each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "index_file/row_list.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `row_bits` is a set of the rows [0, size()). Throws std::bad_alloc.
class row_bits {
 public:
  row_bits() noexcept = default;
  explicit row_bits(std::uint64_t size, bool all = false)
      : size_(size), words_(static_cast<std::size_t>(size / 64 + (size % 64 != 0)), all ? ~std::uint64_t{0} : 0) {
    clear_rest();
  }

  std::uint64_t size() const noexcept { return size_; }

  bool contains(std::uint64_t row) const noexcept { return row < size_ && (word(row) >> row % 64 & 1) != 0; }

  /// Adds or removes rows.
  void set(index_file::row_run rows, bool value) noexcept {
    rows.end = std::min(rows.end, size_);
    while (rows.begin < rows.end) {
      const std::uint64_t end = std::min(rows.end, (rows.begin / 64 + 1) * 64);
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (end - rows.begin)) << rows.begin % 64;
      value ? word(rows.begin) |= mask : word(rows.begin) &= ~mask;
      rows.begin = end;
    }
  }

  /// Returns the first row of the set in [row, end); `end`, at most size(), if there is none.
  std::uint64_t next(std::uint64_t row, std::uint64_t end = UINT64_MAX) const noexcept {
    end = std::min(end, size_);
    if (row >= end) return end;
    std::size_t i = static_cast<std::size_t>(row / 64);
    const auto last = static_cast<std::size_t>((end - 1) / 64);
    std::uint64_t left = words_[i] >> row % 64 << row % 64;
    while (left == 0 && ++i <= last) left = words_[i];
    return left == 0 ? end : std::min(end, i * 64 + static_cast<std::uint64_t>(std::countr_zero(left)));
  }

  /// Returns the first row from `row` on that is not in the set; size() if there is none.
  std::uint64_t end_of_run(std::uint64_t row) const noexcept {
    while (row < size_) {
      const std::uint64_t left = ~word(row) >> row % 64;
      if (left != 0) return std::min(size_, row + static_cast<std::uint64_t>(std::countr_zero(left)));
      row = (row / 64 + 1) * 64;
    }
    return size_;
  }

  std::uint64_t count() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t each : words_) sum += static_cast<std::uint64_t>(std::popcount(each));
    return sum;
  }

  void intersect(const row_bits& with) noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= with.words_[i];
  }
  void unite(const row_bits& with) noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= with.words_[i];
  }
  void invert() noexcept {
    for (std::uint64_t& each : words_) each = ~each;
    clear_rest();
  }

 private:
  std::uint64_t& word(std::uint64_t row) noexcept { return words_[static_cast<std::size_t>(row / 64)]; }
  std::uint64_t word(std::uint64_t row) const noexcept { return words_[static_cast<std::size_t>(row / 64)]; }
  void clear_rest() noexcept {
    if (size_ % 64 != 0) words_.back() &= ~(~std::uint64_t{0} << size_ % 64);
  }

  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> words_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

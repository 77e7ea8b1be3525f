// SPDX-License-Identifier: Apache-2.0
// Requests the bytes that a scan will read next.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "io/source.hpp"

namespace tgmap::io {

/// A `stride_predictor` learns the period of a sequence of lengths and predicts the next ones.
class stride_predictor {
 public:
  static constexpr std::size_t max_period = 128;  ///< longest period that is learned

  /// Adds the next length of the sequence. Returns true if it was predicted.
  bool add(std::uint64_t length) noexcept {
    const bool right = period_ != 0 && length == back(period_);
    right_in_row_ = right ? right_in_row_ + 1 : 0;
    if (!right) period_ = 0;
    last_[count_++ % last_.size()] = length;
    return right;
  }

  /// Returns the number of lengths that can be predicted. It grows while predictions are right. Searches a period if
  /// there is none. Complexity: O(max_period).
  std::size_t predictable() noexcept {
    if (period_ == 0) learn();
    return period_ == 0 ? 0 : std::min<std::size_t>(max_predictions, 2 * right_in_row_ + period_);
  }

  /// Returns the length that comes after the next `k` lengths. `k` is below predictable().
  std::uint64_t predicted(std::size_t k) const noexcept { return back(period_ - k % period_); }

 private:
  static constexpr std::size_t max_predictions = 32;

  /// Returns the length added `n` calls ago; 1: the last.
  std::uint64_t back(std::size_t n) const noexcept { return last_[(count_ - n) % last_.size()]; }

  /// Finds the shortest period that the last lengths repeat.
  void learn() noexcept {
    const std::size_t known = std::min(count_, last_.size());
    for (std::size_t period = 1; 2 * period <= known; ++period) {
      std::size_t same = 0;
      while (same < period && back(same + 1) == back(same + 1 + period)) ++same;
      if (same < period) continue;
      period_ = period;
      return;
    }
  }

  std::array<std::uint64_t, 2 * max_period> last_{};
  std::size_t count_ = 0;
  std::size_t period_ = 0;        ///< 0: not known
  std::size_t right_in_row_ = 0;  ///< number of right predictions in a row
};

/// A `read_ahead` follows the message boundaries of a scan and requests the next ones by their predicted lengths.
class read_ahead {
 public:
  /// `before` and `behind`: bytes read around a boundary.
  read_ahead(const source& in, std::uint64_t before, std::uint64_t behind) noexcept
      : in_(&in), before_(before), behind_(behind) {}

  /// Records that the scan advanced by `length` bytes. Returns true if the boundary there was requested.
  bool add(std::uint64_t length) noexcept {
    if (!stride_.add(length)) requested_ = 0;
    return requested_ > 0 && requested_-- > 0;
  }

  /// Requests the boundaries after `border`, where the scan is, as far as they can be predicted.
  void request(std::uint64_t border) noexcept {
    const std::size_t predictable = stride_.predictable();
    if (requested_ == 0) last_ = border;
    for (; requested_ < predictable; ++requested_) {
      const std::uint64_t length = stride_.predicted(requested_), left = in_->size() - last_;
      if (length > left || left - length < behind_) return;  // at or beyond the end
      last_ += length;
      in_->will_need(last_ - before_, before_ + behind_);
    }
  }

 private:
  const source* in_;
  std::uint64_t before_, behind_;
  stride_predictor stride_;
  std::size_t requested_ = 0;  ///< boundaries requested and not reached yet
  std::uint64_t last_ = 0;     ///< the last boundary requested
};

}  // namespace tgmap::io

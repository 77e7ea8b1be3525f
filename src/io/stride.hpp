// SPDX-License-Identifier: Apache-2.0
// Lengths that repeat: each as the one before, or in cycles. Numbers only.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tgmap::io {

/// Learns the period of a sequence of lengths and tells what comes next.
class stride {
 public:
  static constexpr std::size_t longest = 128;  ///< period that is learned

  /// The next length of the sequence; whether it was the one foretold.
  bool note(std::uint64_t length) noexcept {
    const bool right = period_ != 0 && length == back(period_);
    right_ = right ? right_ + 1 : 0;
    if (!right) period_ = 0;
    last_[count_++ % last_.size()] = length;
    return right;
  }

  /// How many lengths may be foretold with good hope: more the longer it has gone well. Looks for the period when
  /// there is none, in O(longest) mostly.
  std::size_t reach() noexcept {
    if (period_ == 0) learn();
    return period_ == 0 ? 0 : std::min<std::size_t>(most_ahead, 2 * right_ + period_);
  }

  /// The length that comes after `k` others, `k < reach()`.
  std::uint64_t foretold(std::size_t k) const noexcept { return back(period_ - k % period_); }

 private:
  static constexpr std::size_t most_ahead = 32;

  /// The length noted `n` ago; 1: the last.
  std::uint64_t back(std::size_t n) const noexcept { return last_[(count_ - n) % last_.size()]; }

  /// The shortest period with which the last lengths came twice.
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

  std::array<std::uint64_t, 2 * longest> last_{};
  std::size_t count_ = 0;
  std::size_t period_ = 0;  ///< 0: none known
  std::size_t right_ = 0;   ///< foretold in a row
};

}  // namespace tgmap::io

// SPDX-License-Identifier: Apache-2.0
// Asks for the bytes that a scan will read, before it gets there.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "io/source.hpp"

namespace tgmap::io {

/// Learns the period of a sequence of lengths and tells what comes next.
class stride_predictor {
 public:
  static constexpr std::size_t longest = 128;  ///< period that is learned

  /// The next length of the sequence; whether it was the one predicted.
  bool note(std::uint64_t length) noexcept {
    const bool right = period_ != 0 && length == back(period_);
    right_ = right ? right_ + 1 : 0;
    if (!right) period_ = 0;
    last_[count_++ % last_.size()] = length;
    return right;
  }

  /// How many lengths may be predicted with good hope: more the longer it has gone well. Looks for the period when
  /// there is none, in O(longest) mostly.
  std::size_t reach() noexcept {
    if (period_ == 0) learn();
    return period_ == 0 ? 0 : std::min<std::size_t>(most_ahead, 2 * right_ + period_);
  }

  /// The length that comes after `k` others, `k < reach()`.
  std::uint64_t predicted(std::size_t k) const noexcept { return back(period_ - k % period_); }

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
  std::size_t right_ = 0;   ///< predicted in a row
};

/// Follows the borders that a scan hops between; while asked to, requests those that come next by their
/// stride_predictor.
class read_ahead {
 public:
  /// Looks are at [border - before, border + behind).
  read_ahead(const source& in, std::uint64_t before, std::uint64_t behind) noexcept
      : in_(&in), before_(before), behind_(behind) {}

  /// The scan goes on by `length` bytes. Whether the border there was asked for.
  bool note(std::uint64_t length) noexcept {
    if (!stride_.note(length)) asked_ = 0;
    return asked_ > 0 && asked_-- > 0;
  }

  /// Requests what lies behind `border`, where the scan is now, as far as the stride_predictor reaches.
  void ask(std::uint64_t border) noexcept {
    const std::size_t reach = stride_.reach();
    if (asked_ == 0) last_ = border;
    for (; asked_ < reach; ++asked_) {
      const std::uint64_t length = stride_.predicted(asked_), left = in_->size() - last_;
      if (length > left || left - length < behind_) return;  // beyond the end, or the end itself
      last_ += length;
      in_->will_need(last_ - before_, before_ + behind_);
    }
  }

 private:
  const source* in_;
  std::uint64_t before_, behind_;
  stride_predictor stride_;
  std::size_t asked_ = 0;   ///< borders asked for and not reached yet
  std::uint64_t last_ = 0;  ///< of them
};

}  // namespace tgmap::io

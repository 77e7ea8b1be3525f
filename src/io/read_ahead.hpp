// SPDX-License-Identifier: Apache-2.0
// Asks for what a scan will look at before it gets there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/source.hpp"
#include "io/stride.hpp"

namespace tgmap::io {

/// Follows the borders that a scan hops between; while asked to, requests those that come next by their stride.
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

  /// Requests what lies behind `border`, where the scan is now, as far as the stride reaches.
  void ask(std::uint64_t border) noexcept {
    const std::size_t reach = stride_.reach();
    if (asked_ == 0) last_ = border;
    for (; asked_ < reach; ++asked_) {
      const std::uint64_t length = stride_.foretold(asked_), left = in_->size() - last_;
      if (length > left || left - length < behind_) return;  // beyond the end, or the end itself
      last_ += length;
      in_->will_need(last_ - before_, before_ + behind_);
    }
  }

 private:
  const source* in_;
  std::uint64_t before_, behind_;
  stride stride_;
  std::size_t asked_ = 0;   ///< borders asked for and not reached yet
  std::uint64_t last_ = 0;  ///< of them
};

}  // namespace tgmap::io

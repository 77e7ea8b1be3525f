// SPDX-License-Identifier: Apache-2.0
// How much work an object is, guessed from what it gives: enough to tell when threads are worth their while.
#pragma once

#include <cstdint>
#include <limits>

namespace tgmap::parallel {

/// Waking a thread takes as long as decoding some ten KiB; up to here it is not done.
inline constexpr std::uint64_t price_alone = std::uint64_t{256} << 10;

/// Objects are dealt out in handfuls of about this price.
inline constexpr std::uint64_t price_of_handful = std::uint64_t{64} << 10;

/// Bytes, and what an object costs that gives none. Never wraps round, whatever a file says of its objects.
constexpr std::uint64_t price_of(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t each = 512, most = std::numeric_limits<std::uint64_t>::max();
  return bytes < most - each ? bytes + each : most;
}

constexpr std::uint64_t add_prices(std::uint64_t a, std::uint64_t b) noexcept {
  return a + b < a ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

}  // namespace tgmap::parallel

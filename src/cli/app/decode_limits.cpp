// SPDX-License-Identifier: Apache-2.0
#include "cli/app/decode_limits.hpp"

#include <algorithm>
#include <tgmap/decode/decode_many.hpp>

namespace tgmap::cli {

namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr std::uint64_t default_message = 16 * gib;
constexpr total_limit default_total{.bytes = 64 * gib, .ratio = 1000};

}  // namespace

std::uint64_t decode_limits::object_bytes() const noexcept {
  const std::uint64_t limit = max_decoded.value_or(default_decoded);
  return max_memory ? std::min(limit, std::max<std::uint64_t>(*max_memory / objects_per_thread, 1)) : limit;
}

std::optional<std::uint64_t> decode_limits::requested_object_bytes() const noexcept {
  return max_decoded || max_memory ? std::optional(object_bytes()) : std::nullopt;
}

std::uint64_t decode_limits::read_ahead_bytes() const noexcept {
  return max_memory.value_or(decode_many_options{}.max_bytes);
}

std::uint64_t decode_limits::message_bytes() const noexcept { return max_memory.value_or(default_message); }

unsigned decode_limits::threads(unsigned wanted) const noexcept {
  if (!max_memory) return wanted;
  const std::uint64_t fitting = *max_memory / objects_per_thread / object_bytes();
  return static_cast<unsigned>(std::clamp<std::uint64_t>(fitting, 1, std::max(wanted, 1U)));
}

total_limit decode_limits::total() const noexcept {
  return max_total ? total_limit{.bytes = *max_total} : default_total;
}

}  // namespace tgmap::cli

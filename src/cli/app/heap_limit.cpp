// SPDX-License-Identifier: Apache-2.0
#include "cli/app/heap_limit.hpp"

#include <algorithm>
#include <atomic>

namespace tgmap::cli {

namespace {

std::atomic<bool> limit_is_set{false}, limit_was_reached{false};
std::atomic<std::int64_t> bytes_left{0};

}  // namespace

heap_limit::heap_limit(std::uint64_t bytes) noexcept {
  bytes_left = static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, INT64_MAX));
  limit_was_reached = false;
  limit_is_set = true;
}

heap_limit::~heap_limit() { limit_is_set = false; }

bool heap_limit::was_reached() const noexcept { return limit_was_reached; }

bool heap_limit::is_active() noexcept { return limit_is_set.load(std::memory_order_relaxed); }

bool heap_limit::acquire(std::size_t bytes) noexcept {
  const auto wanted = static_cast<std::int64_t>(bytes);
  if (bytes_left.fetch_sub(wanted, std::memory_order_relaxed) >= wanted) return true;
  bytes_left.fetch_add(wanted, std::memory_order_relaxed);
  limit_was_reached = true;
  return false;
}

void heap_limit::release(std::size_t bytes) noexcept {
  bytes_left.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
}

}  // namespace tgmap::cli

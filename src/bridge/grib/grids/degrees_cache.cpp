// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/grids/degrees_cache.hpp"

#include <utility>

namespace tgmap::bridge::grib {

std::shared_ptr<const found_degrees> degrees_cache::find(std::string_view key) noexcept {
  const std::lock_guard lock(mutex_);
  const auto known = by_key_.find(key);
  if (known == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, known->second);
  return known->second->found;
}

void degrees_cache::insert(std::string key, std::shared_ptr<const found_degrees> found) {
  constexpr std::uint64_t bookkeeping = 256;  // of an entry, about
  const std::uint64_t bytes = found->bytes() + key.size() + bookkeeping;
  const std::lock_guard lock(mutex_);
  if (bytes > max_bytes_ || by_key_.contains(key)) return;
  while (bytes_ > max_bytes_ - bytes) {
    bytes_ -= entries_.back().bytes;
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({std::move(key), std::move(found), bytes});
  try {
    by_key_.emplace(entries_.front().key, entries_.begin());
  } catch (...) {
    entries_.pop_front();
    throw;
  }
  bytes_ += bytes;
}

}  // namespace tgmap::bridge::grib

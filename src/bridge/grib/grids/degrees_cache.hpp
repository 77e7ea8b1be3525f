// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tgmap/bridge/grib_grids.hpp>
#include <unordered_map>

#include "core/seeded_hash.hpp"

namespace tgmap::bridge::grib {

/// The degrees of a grid, or the reason why it has none.
struct found_degrees {
  provided_degrees degrees{};
  native_grid_obstacle why_none = native_grid_obstacle::none;

  std::uint64_t bytes() const noexcept {
    return sizeof(double) * (degrees.latitudes.capacity() + degrees.longitudes.capacity());
  }
};

/// A `degrees_cache` keeps the degrees of the grids that were used last.
/// Thread safety: any number of threads may call all members.
class degrees_cache {
 public:
  explicit degrees_cache(std::uint64_t max_bytes) noexcept : max_bytes_(max_bytes) {}

  /// Returns what is kept under a key; null if nothing is.
  std::shared_ptr<const found_degrees> find(std::string_view key) noexcept;

  /// Keeps `found` under a key, and removes those that were not used for the longest time until all keys and degrees
  /// take no more than the maximum. Errors: throws std::bad_alloc.
  void insert(std::string key, std::shared_ptr<const found_degrees> found);

 private:
  struct entry {
    std::string key;
    std::shared_ptr<const found_degrees> found;
    std::uint64_t bytes;
  };

  const std::uint64_t max_bytes_;
  std::mutex mutex_{};
  std::list<entry> entries_{};  // the last used first
  std::unordered_map<std::string_view, std::list<entry>::iterator, core::seeded_hash> by_key_{};
  std::uint64_t bytes_ = 0;
};

}  // namespace tgmap::bridge::grib

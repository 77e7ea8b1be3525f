// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <utility>
#include <vector>

#include "core/append_only_map.hpp"
#include "core/seeded_hash.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `path_cache` caches lookups of paths in the message-wide keys of a message, which are the same for each of its
/// objects. Without it each object would read all keys again.
///
/// Thread safety: all members may run in any number of threads.
/// Lifetime: cached values borrow from the archive, as all values do, and check their bounds again when they are read.
class path_cache {
 public:
  /// Messages with fewer bytes of keys have no cache: walking over the keys is as fast as a cached lookup.
  static constexpr std::uint64_t min_metadata_bytes = 1024;

  struct entry {
    std::string path;
    std::optional<cbor_view> found;
  };

  /// `bytes`: size of the keys. The cache takes at most twice as much memory.
  explicit path_cache(std::uint64_t bytes) noexcept : free_bytes_(2 * bytes) {}
  ~path_cache() { delete copy_.load(std::memory_order_relaxed); }
  path_cache(const path_cache&) = delete;
  path_cache& operator=(const path_cache&) = delete;

  /// A copy of the layers with these keys, and a cache of paths in the copy.
  struct keys_copy {
    std::vector<std::byte> bytes{};
    std::array<std::pair<std::size_t, std::size_t>, 5> places{};  ///< offset and size of each message-wide layer
    std::unique_ptr<path_cache> paths{};
  };

  /// Returns the copy, or null if there is none.
  const keys_copy* copy() const noexcept { return copy_.load(std::memory_order_acquire); }

  /// Stores a copy, unless another thread has. Returns the one that is stored.
  const keys_copy* set_copy(std::unique_ptr<const keys_copy> made) noexcept {
    const keys_copy* stored = nullptr;
    if (copy_.compare_exchange_strong(stored, made.get(), std::memory_order_acq_rel)) return made.release();
    return stored;
  }

  /// Returns the cached result, or null. No allocation.
  const entry* find(std::string_view path) const noexcept {
    const auto* stored = entries_.find(hash(path));
    while (stored != nullptr && stored->value->path != path) stored = stored->older;
    return stored == nullptr ? nullptr : stored->value.get();
  }

  /// Stores the result of a lookup, unless the cache is full.
  void add(std::string_view path, const std::optional<cbor_view>& found) noexcept {
    const std::uint64_t size = entry_bytes + path.size();
    std::uint64_t left = free_bytes_.load(std::memory_order_relaxed);
    do {
      if (left < size) return;
    } while (!free_bytes_.compare_exchange_weak(left, left - size, std::memory_order_relaxed));
    try {
      entries_.add(hash(path), std::make_unique<entry>(entry{std::string(path), found}));
    } catch (const std::bad_alloc&) {
    }
  }

 private:
  static constexpr std::uint64_t entry_bytes = 256;  ///< estimated memory of an entry, with its share of the map

  static std::uint64_t hash(std::string_view path) noexcept { return core::seeded_hash{}(path); }

  core::append_only_map<entry> entries_{};
  std::atomic<std::uint64_t> free_bytes_;
  std::atomic<const keys_copy*> copy_{nullptr};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

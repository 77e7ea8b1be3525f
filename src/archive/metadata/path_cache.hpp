// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>

#include "core/append_only_map.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Remembers where paths lead in the message-wide keys of one message. They lead there for each of its objects, and
/// without this the keys are passed over for each of them.
/// All members may run in any number of threads. Remembered values borrow from the archive, as all values do, and check
/// their bounds again when they are read.
class path_cache {
 public:
  /// Walking over fewer bytes than this is as fast as a remembered lookup.
  static constexpr std::uint64_t worth_it_from = 1024;

  struct answer {
    std::string path;
    std::optional<cbor_view> found;
  };

  /// Answers take at most twice `bytes`, the size of the keys, so memory stays in proportion to the file.
  explicit path_cache(std::uint64_t bytes) noexcept : room_(2 * bytes) {}

  /// Returns the remembered answer, or null. No allocation.
  const answer* find(std::string_view path) const noexcept {
    const auto* at = answers_.find(hash(path));
    while (at != nullptr && at->value->path != path) at = at->older;
    return at == nullptr ? nullptr : at->value.get();
  }

  /// Remembers an answer, or does nothing if there is no room for it.
  void add(std::string_view path, const std::optional<cbor_view>& found) noexcept {
    const std::uint64_t size = each + path.size();
    std::uint64_t left = room_.load(std::memory_order_relaxed);
    do {
      if (left < size) return;
    } while (!room_.compare_exchange_weak(left, left - size, std::memory_order_relaxed));
    try {
      answers_.add(hash(path), std::make_unique<answer>(answer{std::string(path), found}));
    } catch (const std::bad_alloc&) {
    }
  }

 private:
  static constexpr std::uint64_t each = 256;  ///< that an answer takes, with its share of the map

  static std::uint64_t hash(std::string_view path) noexcept { return std::hash<std::string_view>{}(path); }

  core::append_only_map<answer> answers_{};
  std::atomic<std::uint64_t> room_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

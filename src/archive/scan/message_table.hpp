// SPDX-License-Identifier: Apache-2.0
// The positions of the messages of an archive: 16 bytes each, in segments that never move.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <tgmap/frame.hpp>

#include "archive/segments.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `message_table` grows, and its entries never change.
/// Thread safety: one thread at a time may append; any number of threads may read entries, without a lock.
class message_table {
 public:
  std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }

  /// Returns entry `i`, which must be below size().
  message_position operator[](std::size_t i) const noexcept { return slot(i).position(i); }

  /// An `entry` is the position of a message without its number.
  struct entry {
    std::uint64_t offset;
    std::uint64_t length : 60;
    std::uint64_t version : 2;
    std::uint64_t streamed : 1;
    std::uint64_t incomplete : 1;

    /// Makes the entry of a whole message.
    static entry of(std::uint64_t at, std::uint64_t size, unsigned wire_version, bool stream) noexcept {
      return {at, size & (~std::uint64_t{0} >> 4), wire_version & 3, stream, 0};
    }
    std::uint64_t end() const noexcept { return offset + length; }

    message_position position(optional_index index) const noexcept {
      // Written as one block, because handles copy it as one block. After smaller writes a copy would wait for each.
      message_fields out;
      std::memcpy(static_cast<void*>(&out), this, sizeof(entry));
      out.index = index;
      return message_position(out);
    }
  };
  static_assert(sizeof(entry) == 16 && offsetof(message_fields, index) == sizeof(entry) &&
                sizeof(message_position) == sizeof(message_fields));

  /// Returns false if memory is missing; the table is unchanged then.
  bool append(const message_position& m) noexcept {
    entry e = entry::of(m.offset(), m.length(), m.version(), m.is_streamed());
    e.incomplete = m.is_incomplete();
    return append(std::span(&e, 1));
  }

  /// Appends many entries at once: readers see none or all of them.
  bool append(std::span<const entry> batch) noexcept {
    std::size_t i = size_.load(std::memory_order_relaxed);
    while (!batch.empty()) {
      const auto [s, at] = segments::of(i);
      entry* segment = segments_[s].load(std::memory_order_relaxed);
      if (segment == nullptr) {
        segment = new (std::nothrow) entry[segments::size(s)];
        if (segment == nullptr) return false;
        segments_[s].store(segment, std::memory_order_release);
      }
      const std::size_t count = std::min(batch.size(), segments::size(s) - at);
      std::memcpy(segment + at, batch.data(), count * sizeof(entry));
      batch = batch.subspan(count);
      i += count;
    }
    size_.store(i, std::memory_order_release);
    return true;
  }

  /// Returns the number of the message that begins at `offset`, if it is known. Complexity: O(log n).
  std::optional<std::size_t> find(std::uint64_t offset) const noexcept {
    std::size_t low = 0, high = size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (slot(middle).offset < offset)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < size() && slot(low).offset == offset) return low;
    return std::nullopt;
  }

  message_table() noexcept = default;
  message_table(const message_table&) = delete;
  message_table& operator=(const message_table&) = delete;
  ~message_table() {
    for (auto& s : segments_) delete[] s.load(std::memory_order_relaxed);
  }

 private:
  const entry& slot(std::size_t i) const noexcept {
    const auto [s, at] = segments::of(i);
    return segments_[s].load(std::memory_order_acquire)[at];
  }

  std::array<std::atomic<entry*>, segments::max_segments> segments_{};
  std::atomic<std::size_t> size_{0};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

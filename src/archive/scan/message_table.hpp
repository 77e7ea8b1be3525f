// SPDX-License-Identifier: Apache-2.0
// The positions of the messages of an archive: 16 bytes each, in segments and blocks that never move.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tgmap/frame.hpp>

#include "archive/segments.hpp"
#include "core/memory.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `message_table` grows, and its entries never change. The entries of messages that an index file lists are stored
/// when they are used first, in blocks of 16 KiB; of the others nothing is allocated but 8 bytes a block.
/// Thread safety: one thread at a time may append; any number of threads may read and store listed entries, without a
/// lock.
class message_table {
 public:
  std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }

  /// Returns the number of messages that an index lists; they are the first ones.
  std::size_t listed() const noexcept { return listed_; }

  /// Begins an empty table with messages that an index lists.
  void begin_with_listed(std::size_t count) noexcept {
    listed_ = count;
    size_.store(count, std::memory_order_release);
  }

  /// Returns entry `i`, which must be below size() and not be of a listed message.
  message_position operator[](std::size_t i) const noexcept {
    const auto [s, at] = segments::of(i - listed_);
    return segments_[s].load(std::memory_order_acquire)[at].position(i);
  }

  /// Finds entry `i`, which must be below size(). Returns false if a listed message was not stored yet.
  bool find(std::size_t i, message_position& out) const noexcept {
    if (i >= listed_) {
      out = (*this)[i];
      return true;
    }
    const block* const blocks = blocks_.load(std::memory_order_acquire);
    const entry* const entries = blocks == nullptr ? nullptr : blocks[i / block_size].load(std::memory_order_acquire);
    entry stored;
    if (entries == nullptr || !entries[i % block_size].load(stored)) return false;
    out = stored.position(i);
    return true;
  }

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

    /// Loads a listed message if it was stored. Its second word is stored last, and never zero.
    bool load(entry& to) const noexcept {
      const std::uint64_t word = std::atomic_ref(second_word()).load(std::memory_order_acquire);
      if (word == 0 || word == busy) return false;
      to.offset = offset;
      to.second_word() = word;
      return true;
    }
    /// Stores a listed message. Returns false if another thread is storing it or has stored it.
    bool store(const entry& from) noexcept {
      std::uint64_t unset = 0;
      if (!std::atomic_ref(second_word()).compare_exchange_strong(unset, busy, std::memory_order_relaxed)) return false;
      offset = from.offset;
      std::atomic_ref(second_word()).store(from.second_word(), std::memory_order_release);
      return true;
    }

    message_position position(optional_index index) const noexcept {
      // Written as one block, because handles copy it as one block. After smaller writes a copy would wait for each.
      message_fields out;
      std::memcpy(static_cast<void*>(&out), this, sizeof(entry));
      out.index = index;
      return message_position(out);
    }

   private:
    static constexpr std::uint64_t busy = UINT64_MAX;  // no message is that long
    std::uint64_t& second_word() const noexcept {
      return *(reinterpret_cast<std::uint64_t*>(const_cast<entry*>(this)) + 1);
    }
  };
  static_assert(sizeof(entry) == 16 && offsetof(message_fields, index) == sizeof(entry) &&
                sizeof(message_position) == sizeof(message_fields));

  /// Returns false if memory is missing; the table is unchanged then.
  bool append(const message_position& m) noexcept {
    const entry e = entry_of(m);
    return append(std::span(&e, 1));
  }

  /// Appends many entries at once: readers see none or all of them.
  bool append(std::span<const entry> batch) noexcept {
    std::size_t i = size_.load(std::memory_order_relaxed);
    while (!batch.empty()) {
      const auto [s, at] = segments::of(i - listed_);
      entry* const segment = core::allocate_once(segments_[s], segments::size(s));
      if (segment == nullptr) return false;
      const std::size_t count = std::min(batch.size(), segments::size(s) - at);
      std::memcpy(static_cast<void*>(segment + at), batch.data(), count * sizeof(entry));
      batch = batch.subspan(count);
      i += count;
    }
    size_.store(i, std::memory_order_release);
    return true;
  }

  /// Stores the entry of listed message `i`. Returns true if this call did it: it was not stored before, and there is
  /// memory.
  bool store_listed(std::size_t i, const message_position& m) noexcept {
    block* const blocks = core::allocate_once(blocks_, block_count());
    entry* const entries = blocks == nullptr ? nullptr : core::allocate_once(blocks[i / block_size], block_size);
    return entries != nullptr && entries[i % block_size].store(entry_of(m));
  }

  message_table() noexcept = default;
  message_table(const message_table&) = delete;
  message_table& operator=(const message_table&) = delete;
  ~message_table() {
    for (std::size_t s = 0; s < segments_.size(); ++s)
      core::free_zeros(segments_[s].load(std::memory_order_relaxed), segments::size(s) * sizeof(entry));
    block* const blocks = blocks_.load(std::memory_order_relaxed);
    for (std::size_t b = 0; blocks != nullptr && b < block_count(); ++b)
      if (entry* const entries = blocks[b].load(std::memory_order_relaxed); entries != nullptr)
        core::free_zeros(entries, block_size * sizeof(entry));
    core::free_zeros(blocks, block_count() * sizeof(block));
  }

 private:
  static entry entry_of(const message_position& m) noexcept {
    entry e = entry::of(m.offset(), m.length(), m.version(), m.is_streamed());
    e.incomplete = m.is_incomplete();
    return e;
  }

  using block = std::atomic<entry*>;
  static constexpr std::size_t block_size = 1024;
  std::size_t block_count() const noexcept { return listed_ / block_size + 1; }

  std::array<std::atomic<entry*>, segments::max_segments> segments_{};  ///< of messages behind the listed ones
  std::atomic<block*> blocks_{nullptr};                                 ///< of listed messages
  std::atomic<std::size_t> size_{0};
  std::size_t listed_ = 0;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

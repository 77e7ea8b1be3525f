// SPDX-License-Identifier: Apache-2.0
// Caches the objects that were accessed. Accessing them again reads nothing.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "archive/lookup/element_layouts.hpp"
#include "archive/lookup/message_record.hpp"
#include "archive/segments.hpp"
#include "core/append_only_map.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// An `object_cache` has two words for each message, in blocks of 512 messages. The first word holds the parts of
/// the only object, or a pointer to a record. Most messages of large archives have one object; finding it again costs
/// one cache miss, which overlaps with that in the table. The second word holds the places of the metadata once they
/// were read. Messages without a number, which were found from the end, have records by archive offset.
///
/// Thread safety: all members may run in any number of threads. Only a layout that is new takes a lock. If memory is
/// missing, less is cached.
class object_cache {
 public:
  /// `archive`: size of the archive in bytes.
  explicit object_cache(std::uint64_t archive) noexcept : layouts_(archive) {}
  object_cache(const object_cache&) = delete;
  object_cache& operator=(const object_cache&) = delete;
  ~object_cache();

  /// Finds the only object of message `i`. Small and inline, because each access to a payload calls it.
  bool find_single(std::size_t i, object_parts& out) const noexcept {
    const std::uint64_t word = load(i, objects_word);
    if (!is_packed(word)) return false;
    out = unpack(word);
    return true;
  }

  /// Finds object `j` of a message.
  bool find(const message_position& message, std::uint64_t j, object_parts& out) const noexcept {
    if (const auto i = message.index()) {
      const std::uint64_t word = load(static_cast<std::size_t>(*i), objects_word);
      if (is_packed(word)) {
        if (j == 0) out = unpack(word);
        return j == 0;
      }
    }
    const message_record* const record = find(message);
    return record != nullptr && j < record->objects.size() &&
           record->objects[static_cast<std::size_t>(j)].find(layouts_, out);
  }

  /// Stores object `j` of a message of `count` objects.
  void add(const message_position&, std::uint64_t j, std::uint64_t count, const object_parts&) noexcept;

  /// Stores the element layout of an object that is in the cache, for later views.
  void add_layout(const message_position&, std::uint64_t j, const element_layout&) noexcept;

  /// Returns the record of a message, or null.
  message_record* find(const message_position&) const noexcept;
  /// Adds a record in place of an older one. Returns null if memory is missing.
  message_record* add(const message_position&, std::unique_ptr<message_record>) noexcept;

  /// Offsets of the parts of a checked metadata body of version 3 from the start of the body; the body from the start
  /// of the message. 0: absent.
  struct metadata_places {
    std::uint64_t body_offset = 0, body_size = 0;
    std::uint64_t extra = 0;
    std::uint64_t first_entry = 0;  ///< of object 0
    std::uint64_t entry = 0;        ///< of object `j`
    std::uint64_t reserved = 0;     ///< not cached
    bool free_keys = false;
    bool has_one_object = false;  ///< the message is known to have one object alone
  };
  /// Finds the places for object `j`; for object_sink::none without `entry`.
  std::optional<metadata_places> find_metadata(const message_position&, std::uint64_t j) const noexcept;
  void add_metadata(const message_position&, std::uint64_t j, const metadata_places&) noexcept;

  /// Packs the parts of an object into eight bytes, and back. Returns nothing if they do not fit: the frame must be
  /// aligned to 8, within the first 64 KiB of its message and shorter than 1 MiB; its descriptor must be shorter than 4
  /// KiB, last and without masks.
  static std::optional<std::uint64_t> pack(const object_parts&) noexcept;
  object_parts unpack(std::uint64_t word) const noexcept {
    object_parts out = unpack_parts(word);
    out.elements = layouts_[word & (layout_limit - 1)];
    return out;
  }

 private:
  // The first word of a message is 0, a pointer to a record, or packed parts: highest bit 1, four bits of
  // packed_flags() (the two highest flags are 0), the place of the frame in units of 8 bytes (13 bits), its length
  // (20), the length of the descriptor (12) and the number of the element layout (14). The second word is 0, or places
  // in the metadata: highest bit 1, a bit for free keys, the place of the body in units of 8 bytes (13), two bits
  // without a meaning, a bit for one object, the size of the body (16), and the places of extra (15) and of the first
  // entry (15).
  static constexpr std::uint64_t layout_limit = std::uint64_t{1} << element_layouts::bits;
  static constexpr bool is_packed(std::uint64_t word) noexcept { return word >> 63 != 0; }
  static object_parts unpack_parts(std::uint64_t word) noexcept {
    const std::uint64_t length = word >> 26 & 0xfffff, descriptor = word >> 14 & 0xfff;
    const std::uint64_t bits = word >> 59 & 3, high = word >> 61 & 3;
    object_parts out = make_object_parts((word >> 46 & 0x1fff) * 8, length, descriptor, 0, high << 4 | bits);
    out.payload_length = out.region_length;
    return out;
  }

  /// Selects a word of a message.
  enum word_kind : unsigned { objects_word, metadata_word };
  using words = std::uint64_t;

  // A block has the first words of its messages, then their second words. Segments have the pointers to the blocks.
  using block = std::atomic<words*>;
  static constexpr std::size_t block_size = 512;

  std::uint64_t load(std::size_t i, word_kind word) const noexcept {
    const auto [s, at] = segments::of(i / block_size);
    const block* const blocks = segments_[s].load(std::memory_order_acquire);
    words* const in = blocks == nullptr ? nullptr : blocks[at].load(std::memory_order_acquire);
    return in == nullptr ? 0 : std::atomic_ref(in[i % block_size + word * block_size]).load(std::memory_order_acquire);
  }
  words* slot(std::size_t i, word_kind word) noexcept;

  element_layouts layouts_;
  std::array<std::atomic<block*>, segments::max_segments> segments_{};
  core::append_only_map<message_record*> unnumbered_{};
  std::atomic<message_record*> records_{nullptr};  ///< list of all records
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

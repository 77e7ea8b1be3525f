// SPDX-License-Identifier: Apache-2.0
// Cache of the objects of one message: 24 bytes each.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "archive/lookup/element_layouts.hpp"
#include "archive/lookup/message_structure.hpp"
#include "archive/lookup/metadata_record.hpp"
#include "archive/lookup/object_parts.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// The place and the parts of one object.
/// Thread safety: any number of threads may read while others store; a stored value never changes.
class object_record {
 public:
  object_record() noexcept = default;
  /// Stores the place that an index lists, whose frame was not read yet. The place must fit.
  explicit object_record(const object_place& listed) noexcept : place_(listed.offset), lengths_(listed.length) {}

  /// Checks if a place fits into a record: at most 16 TiB into the message, and a frame of at most 1 TiB.
  static bool fits(const object_place& listed) noexcept { return listed.offset >> 44 == 0 && listed.length >> 40 == 0; }

  object_place place() const noexcept {
    return {.offset = load(place_) & low_bits(44), .length = load(lengths_) & low_bits(40), .preceder = 0};
  }

  /// Returns false if the parts are not known yet.
  bool find(const element_layouts& layouts, object_parts& out) const noexcept {
    const std::uint64_t rest = std::atomic_ref(const_cast<std::uint64_t&>(rest_)).load(std::memory_order_acquire);
    if (rest >> 62 != known) return false;
    // Acquires the table of layouts that has this number.
    const std::uint64_t place = std::atomic_ref(const_cast<std::uint64_t&>(place_)).load(std::memory_order_acquire);
    const std::uint64_t lengths = load(lengths_);
    out = make_object_parts(place & low_bits(44), lengths & low_bits(40), lengths >> 40, rest & low_bits(40),
                            rest >> 56 & low_bits(6));
    out.elements = layouts[place >> 44 & low_bits(element_layouts::bits)];
    return true;
  }

  /// Stores the parts, unless they are stored already or do not fit.
  void add(const object_parts& parts) noexcept {
    const auto bits = packed_flags(parts);
    if (!bits || parts.offset >> 44 != 0 || parts.length >> 40 != 0 || parts.descriptor_length >> 24 != 0 ||
        parts.payload_length >> 40 != 0)
      return;
    std::uint64_t unset = 0;
    if (!std::atomic_ref(rest_).compare_exchange_strong(unset, busy << 62, std::memory_order_relaxed)) return;
    std::atomic_ref(place_).store(parts.offset, std::memory_order_relaxed);
    std::atomic_ref(lengths_).store(parts.length | parts.descriptor_length << 40, std::memory_order_relaxed);
    std::atomic_ref(rest_).store(known << 62 | *bits << 56 | parts.payload_length, std::memory_order_release);
  }

  /// Stores the number of the element layout of an object whose parts are stored.
  void add_layout(std::uint64_t number) noexcept {
    std::uint64_t place = load(place_);
    if (place >> 44 == 0)
      std::atomic_ref(place_).compare_exchange_strong(place, place | number << 44, std::memory_order_release);
  }

  /// Offset of the object's entry in the metadata; `not_known`, or `no_entry`.
  static constexpr std::uint64_t not_known = 0, no_entry = 0xffff;
  std::uint64_t entry() const noexcept { return load(rest_) >> 40 & low_bits(16); }
  void add_entry(std::uint64_t at) noexcept {
    std::uint64_t rest = load(rest_);
    if (rest >> 62 == known && (rest >> 40 & low_bits(16)) == not_known && at <= no_entry)
      std::atomic_ref(rest_).compare_exchange_strong(rest, rest | at << 40, std::memory_order_release);
  }

 private:
  static constexpr std::uint64_t busy = 1, known = 2;

  static constexpr std::uint64_t low_bits(unsigned count) noexcept { return (std::uint64_t{1} << count) - 1; }
  static std::uint64_t load(const std::uint64_t& word) noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed);
  }

  // Bits: place (44) and number of the element layout (14); length (40) and descriptor length (24); payload length
  // (40), entry (16), flags (6) and state (2).
  std::uint64_t place_ = 0, lengths_ = 0, rest_ = 0;
};
static_assert(sizeof(object_record) == 24);

/// A `message_record` is the cache of one message.
struct message_record {
  std::vector<object_record> objects{};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> preceders{};  ///< object and place, of objects with a preceder
  std::unique_ptr<message_structure> structure{};                    ///< null: only the objects are known
  std::atomic<const metadata_record*> entries{nullptr};
  message_record* next = nullptr;  ///< in the list of all records

  message_record() noexcept = default;
  message_record(const message_record&) = delete;
  message_record& operator=(const message_record&) = delete;
  ~message_record() { delete entries.load(std::memory_order_relaxed); }

  object_place place(std::size_t j) const noexcept {
    object_place out = objects[j].place();
    const auto at = std::ranges::lower_bound(preceders, j, {}, &std::pair<std::uint64_t, std::uint64_t>::first);
    if (at != preceders.end() && at->first == j) out.preceder = at->second;
    return out;
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
// What was found of the first objects of small messages: eight bytes a message, beside the message table.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "archive/object_facts.hpp"
#include "archive/segments.hpp"
#include "wire/frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Archives of a million small messages have one object in most: coming back to any of them costs one look here, which
/// goes on beside the look into the table. Any number of threads; nobody waits.
class first_objects {
 public:
  first_objects() noexcept = default;
  first_objects(const first_objects&) = delete;
  first_objects& operator=(const first_objects&) = delete;
  ~first_objects() {
    for (auto& s : segments_) std::free(s.load(std::memory_order_relaxed));
  }

  /// The first object of message `i`, if it is known here.
  bool find(std::size_t i, object_facts& out) const noexcept {
    const auto [s, at] = segments::of(i);
    std::uint64_t* const segment = segments_[s].load(std::memory_order_acquire);
    if (segment == nullptr) return false;
    const std::uint64_t word = std::atomic_ref(segment[at]).load(std::memory_order_relaxed);
    if (word == 0) return false;
    out = unpacked(word);
    return true;
  }

  /// Keeps what fits into eight bytes: a frame aligned to 8, within the first half mebibyte of its message and shorter
  /// than a mebibyte, its descriptor last, without masks. False when it does not, or when memory is missing.
  bool add(std::size_t i, const object_facts& facts) noexcept {
    const auto word = packed(facts);
    if (!word) return false;
    const auto [s, at] = segments::of(i);
    std::uint64_t* segment = segments_[s].load(std::memory_order_acquire);
    if (segment == nullptr) {
      // From calloc: pages of it that are never used are never taken.
      auto* const fresh = static_cast<std::uint64_t*>(std::calloc(segments::size(s), sizeof(std::uint64_t)));
      if (fresh == nullptr) return false;
      if (segments_[s].compare_exchange_strong(segment, fresh, std::memory_order_acq_rel))
        segment = fresh;
      else
        std::free(fresh);
    }
    std::atomic_ref(segment[at]).store(*word, std::memory_order_relaxed);
    return true;
  }

  /// Facts as eight bytes, and back; nothing when they do not fit. What is left out follows from the rest.
  static std::optional<std::uint64_t> packed(const object_facts& f) noexcept {
    constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
    if (f.at % 8 != 0 || f.at / 8 >= 1 << 16 || f.length >= mebibyte || f.version != 1 || f.flags > 3)
      return std::nullopt;
    const std::uint64_t old = f.type == wire::old_object_frame ? 1 : 0;
    const std::uint64_t hashed =
        f.length - f.descriptor_at - f.descriptor_length == wire::tail_size(wire::object_frame, 3) ? 1 : 0;
    const std::uint64_t word = std::uint64_t{1} << 63 | hashed << 59 | old << 58 | std::uint64_t{f.flags} << 56 |
                               f.at / 8 << 40 | f.length << 20 | f.descriptor_at % mebibyte;
    return unpacked(word) == f ? std::optional(word) : std::nullopt;
  }
  static object_facts unpacked(std::uint64_t word) noexcept {
    // By arithmetic: this is on the way to every object that was touched before.
    constexpr std::uint64_t twenty_bits = (1 << 20) - 1;
    constexpr auto short_tail = wire::tail_size(wire::object_frame, 2),
                   long_tail = wire::tail_size(wire::object_frame, 3);
    const std::uint64_t old = word >> 58 & 1, hashed = word >> 59 & 1;
    const std::uint64_t length = word >> 20 & twenty_bits, descriptor = word & twenty_bits;
    return {
        .at = (word >> 40 & 0xffff) * 8,
        .length = length,
        .descriptor_at = descriptor,
        .descriptor_length = length - descriptor - (short_tail + hashed * (long_tail - short_tail)),
        .region_at = wire::frame_header_size,
        .region_length = descriptor - wire::frame_header_size,
        .payload_length = descriptor - wire::frame_header_size,
        .type = static_cast<std::uint16_t>(wire::object_frame - old * (wire::object_frame - wire::old_object_frame)),
        .version = 1,
        .flags = static_cast<std::uint16_t>(word >> 56 & 3)};
  }

 private:
  std::array<std::atomic<std::uint64_t*>, segments::most> segments_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

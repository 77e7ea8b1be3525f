// SPDX-License-Identifier: Apache-2.0
// What was found of the objects touched last, in a table of fixed size: who comes back reads nothing.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "archive/object_facts.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Pairs of slots of one cache line each, written in turn. All members may run in any number of threads: nobody waits,
/// and a slot that is being written is one that does not know.
class object_cache {
 public:
  /// Of an archive of that many bytes: takes no more memory than it, but for a page.
  explicit object_cache(std::uint64_t archive) noexcept
      : shift_(static_cast<unsigned>(std::countl_zero(std::clamp(archive / pair_size, least_pairs, most_pairs))) + 1) {}
  object_cache(const object_cache&) = delete;
  object_cache& operator=(const object_cache&) = delete;
  ~object_cache() { std::free(memory_.load(std::memory_order_relaxed)); }

  /// Object `index` of the message at archive offset `message`, if it is remembered.
  bool find(std::uint64_t message, std::uint64_t index, object_facts& out) const noexcept {
    void* const memory = memory_.load(std::memory_order_acquire);
    if (memory == nullptr) return false;
    slot* const slots = aligned(memory);
    const std::size_t first = pair_of(message, index);
    return read(slots[first], message, index, out) || read(slots[first + 1], message, index, out);
  }

  /// Remembers it, unless another thread is just writing there. Memory is taken at the first call.
  void add(std::uint64_t message, std::uint64_t index, const object_facts& facts) noexcept {
    void* const memory = take_memory();
    if (memory == nullptr || (facts.length | facts.descriptor_length) >> 32 != 0 || index >> 32 != 0) return;
    slot* const two = aligned(memory) + pair_of(message, index);
    write(two[stamp(two[0]) > stamp(two[1]) ? 1 : 0], message, index, facts);
  }

 private:
  // Words: stamp (odd: being written; 0: never was), message, at, index and length, descriptor offset and length,
  // region offset and length, payload length and type, version and flags. Lengths beyond 32 bits are not remembered.
  static constexpr std::size_t words = 8;
  using slot = std::array<std::uint64_t, words>;
  // From a page to 512 KiB: what a second level cache has room for.
  static constexpr std::uint64_t least_pairs = 32, most_pairs = 4096, pair_size = 2 * sizeof(slot);

  std::size_t pair_of(std::uint64_t message, std::uint64_t index) const noexcept {
    const std::uint64_t mixed = (message + index * 0xff51afd7ed558ccdU) * 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(mixed >> shift_) * 2;
  }

  using word = std::atomic_ref<std::uint64_t>;
  static std::uint64_t stamp(slot& of) noexcept { return word(of[0]).load(std::memory_order_relaxed); }
  static std::uint64_t joined(std::uint64_t high, std::uint64_t low) noexcept { return high << 32 | low; }

  static bool read(slot& of, std::uint64_t message, std::uint64_t index, object_facts& out) noexcept {
    slot copy;
    copy[0] = word(of[0]).load(std::memory_order_acquire);
    copy[1] = word(of[1]).load(std::memory_order_acquire);
    if (copy[0] % 2 != 0 || copy[0] == 0 || copy[1] != message) return false;
    for (std::size_t i = 2; i < words; ++i) copy[i] = word(of[i]).load(std::memory_order_acquire);
    if (word(of[0]).load(std::memory_order_relaxed) != copy[0] || copy[3] >> 32 != index) return false;
    constexpr std::uint64_t low = 0xffffffff;
    out = {.at = copy[2],
           .length = copy[3] & low,
           .descriptor_at = copy[4] >> 32,
           .descriptor_length = copy[4] & low,
           .region_at = copy[5] >> 32,
           .region_length = copy[5] & low,
           .payload_length = copy[6],
           .type = static_cast<std::uint16_t>(copy[7] >> 32),
           .version = static_cast<std::uint16_t>(copy[7] >> 16),
           .flags = static_cast<std::uint16_t>(copy[7])};
    return true;
  }

  static void write(slot& to, std::uint64_t message, std::uint64_t index, const object_facts& facts) noexcept {
    std::uint64_t before = stamp(to);
    if (before % 2 != 0 || !word(to[0]).compare_exchange_strong(before, before + 1, std::memory_order_acq_rel)) return;
    const slot fresh{0,
                     message,
                     facts.at,
                     joined(index, facts.length),
                     joined(facts.descriptor_at, facts.descriptor_length),
                     joined(facts.region_at, facts.region_length),
                     facts.payload_length,
                     std::uint64_t{facts.type} << 32 | std::uint64_t{facts.version} << 16 | facts.flags};
    for (std::size_t i = 1; i < words; ++i) word(to[i]).store(fresh[i], std::memory_order_release);
    word(to[0]).store(before + 2, std::memory_order_release);
  }

  static slot* aligned(void* memory) noexcept {
    return reinterpret_cast<slot*>((reinterpret_cast<std::uintptr_t>(memory) + sizeof(slot)) & ~(sizeof(slot) - 1));
  }

  void* take_memory() noexcept {
    void* there = memory_.load(std::memory_order_acquire);
    if (there != nullptr) return there;
    // From calloc: pages of it that are never used are never taken.
    void* fresh = std::calloc((std::size_t{2} << (64 - shift_)) + 1, sizeof(slot));
    if (fresh == nullptr) return nullptr;
    if (memory_.compare_exchange_strong(there, fresh, std::memory_order_acq_rel)) return fresh;
    std::free(fresh);
    return there;
  }

  std::atomic<void*> memory_{nullptr};  // slots begin at the first whole cache line of it
  unsigned shift_;                      // leaves as many bits of a hash as number a pair
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

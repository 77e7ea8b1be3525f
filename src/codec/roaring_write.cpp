// SPDX-License-Identifier: Apache-2.0
// The portable format of roaring bitmaps, written straight from packed bits: CRoaring would take the numbers of those
// that are set, and build a tree of containers for them.
#include "codec/roaring_write.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "codec/bit_runs_write.hpp"
#include "codec/little_endian.hpp"
#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

constexpr std::size_t packed_container = 8192;  // of packed bits: 65536 of them
constexpr std::uint32_t head_without_runs = 12346, head_with_runs = 12347;
constexpr std::uint32_t most_written_as_array = 4096;
constexpr std::size_t offsets_from = 4;  // so many containers have their places told, where some hold runs

struct container_facts {
  std::uint32_t set = 0, runs = 0;

  bool as_array() const noexcept { return set <= most_written_as_array; }
  std::size_t plain_size() const noexcept { return as_array() ? std::size_t{set} * 2 : packed_container; }
  std::size_t runs_size() const noexcept { return 2 + std::size_t{runs} * 4; }
  bool as_runs() const noexcept { return runs_size() < plain_size(); }
  std::size_t size() const noexcept { return std::min(plain_size(), runs_size()); }
};

/// Up to eight bytes, the first bit highest, with zeros behind.
std::uint64_t packed_word(std::span<const std::byte> packed, std::size_t at) noexcept {
  if (wire::fits(at, 8, packed.size())) return wire::load_be<std::uint64_t>(packed, at);
  std::array<std::byte, 8> padded{};
  std::copy(packed.begin() + static_cast<std::ptrdiff_t>(at), packed.end(), padded.begin());
  return wire::load_be<std::uint64_t>(padded.data());
}

container_facts count_bits_set(std::span<const std::byte> packed) noexcept {
  container_facts out;
  std::uint64_t last = 0;
  for (std::size_t at = 0; at < packed.size(); at += 8) {
    const std::uint64_t word = packed_word(packed, at), before = word >> 1 | last << 63;
    out.set += static_cast<std::uint32_t>(std::popcount(word));
    out.runs += static_cast<std::uint32_t>(std::popcount(word & ~before));
    last = word & 1;
  }
  return out;
}

/// The 65536 bits, or what is left of them, that begin with `key` times as many.
std::span<const std::byte> bits_of(std::span<const std::byte> packed, std::size_t key) noexcept {
  const auto from = packed.subspan(key * packed_container);
  return from.first(std::min(from.size(), packed_container));
}

void write_array_container(std::span<const std::byte> packed, little_endian_writer& to) noexcept {
  for (std::size_t at = 0; at < packed.size(); at += 8)
    for (std::uint64_t word = packed_word(packed, at); word != 0;) {
      const auto bit = static_cast<unsigned>(std::countl_zero(word));
      to.put(static_cast<std::uint16_t>(at * 8 + bit));
      word &= ~(std::uint64_t{1} << (63 - bit));
    }
}

/// Bitmaps begin with the lowest bit of a byte.
void write_bitmap_container(std::span<const std::byte> packed, little_endian_writer& to) noexcept {
  for (std::size_t at = 0; at < packed_container; at += 8) {
    std::uint64_t word = at < packed.size() ? wire::reversed(packed_word(packed, at)) : 0;
    word = (word & 0x5555555555555555) << 1 | (word >> 1 & 0x5555555555555555);
    word = (word & 0x3333333333333333) << 2 | (word >> 2 & 0x3333333333333333);
    word = (word & 0x0f0f0f0f0f0f0f0f) << 4 | (word >> 4 & 0x0f0f0f0f0f0f0f0f);
    to.put(word);
  }
}

void write_run_container(std::span<const std::byte> packed, std::uint32_t runs, little_endian_writer& to) noexcept {
  to.put(static_cast<std::uint16_t>(runs));
  const std::uint64_t bits = std::uint64_t{packed.size()} * 8;
  bool set = packed.front() >= std::byte{0x80};
  for (std::uint64_t at = 0; at < bits; set = !set) {
    const std::uint64_t end = end_of_run(packed, bits, at);
    if (set) to.put(static_cast<std::uint16_t>(at)), to.put(static_cast<std::uint16_t>(end - at - 1));
    at = end;
  }
}

}  // namespace

std::uint64_t most_roaring_bytes(std::uint64_t bits) noexcept {
  constexpr std::uint64_t ahead = 8,
                          for_each = packed_container + 9;  // its key, its size, its place, whether it is runs
  return ahead + (bits / 65536 + 1) * for_each;
}

std::size_t pack_roaring(std::span<const std::byte> packed, std::span<std::byte> out) noexcept {
  const std::size_t keys = (packed.size() + packed_container - 1) / packed_container;
  std::size_t count = 0, running = 0;
  for (std::size_t key = 0; key < keys; ++key) {
    const auto facts = count_bits_set(bits_of(packed, key));
    count += facts.set != 0;
    running += facts.set != 0 && facts.as_runs();
  }

  little_endian_writer head(out);
  if (running == 0) {
    head.put(head_without_runs), head.put(static_cast<std::uint32_t>(count));
  } else {
    head.put(head_with_runs | static_cast<std::uint32_t>(count - 1) << 16);
  }
  const auto flags = head.skip(running == 0 ? 0 : (count + 7) / 8);
  std::fill(flags.begin(), flags.end(), std::byte{0});
  little_endian_writer keys_to(head.skip(count * 4));
  little_endian_writer places_to(head.skip(running == 0 || count >= offsets_from ? count * 4 : 0));
  const bool places = places_to.room() > 0;

  for (std::size_t key = 0, nth = 0; key < keys; ++key) {
    const auto bits = bits_of(packed, key);
    const auto facts = count_bits_set(bits);
    if (facts.set == 0) continue;
    keys_to.put(static_cast<std::uint16_t>(key)), keys_to.put(static_cast<std::uint16_t>(facts.set - 1));
    if (places) places_to.put(static_cast<std::uint32_t>(out.size() - head.room()));
    if (facts.as_runs()) {
      flags[nth / 8] |= std::byte(1u << nth % 8);
      write_run_container(bits, facts.runs, head);
    } else if (facts.as_array()) {
      write_array_container(bits, head);
    } else {
      write_bitmap_container(bits, head);
    }
    ++nth;
  }
  return out.size() - head.room();
}

}  // namespace tgmap::codec

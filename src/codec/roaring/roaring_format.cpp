// SPDX-License-Identifier: Apache-2.0
// Format: https://github.com/RoaringBitmap/RoaringFormatSpec. All numbers are little-endian.
#include "codec/roaring/roaring_format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "codec/little_endian.hpp"
#include "codec/rle/rle.hpp"
#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

constexpr std::uint32_t cookie_without_runs = 12346, cookie_with_runs = 12347;
constexpr std::uint32_t min_with_offsets = 4;  ///< bitmaps with runs and fewer containers have no offsets
constexpr std::uint32_t max_array_members = 4096;
constexpr std::size_t bitset_size = 8192;

/// A `roaring_reader` reads from the front of bytes. After their end it returns zeros and sets `is_truncated`.
struct roaring_reader {
  std::span<const std::byte> left;
  std::size_t taken = 0;
  bool is_truncated = false;

  std::span<const std::byte> take(std::size_t n) noexcept {
    if (n > left.size()) {
      is_truncated = true;
      return {};
    }
    const auto out = left.first(n);
    left = left.subspan(n);
    taken += n;
    return out;
  }
  std::uint32_t number(std::size_t width) noexcept {
    std::uint32_t out = 0;
    unsigned shift = 0;
    for (const auto byte : take(width)) out |= std::to_integer<std::uint32_t>(byte) << std::exchange(shift, shift + 8);
    return out;
  }
};

std::uint32_t number_at(std::span<const std::byte> from, std::size_t at) noexcept {
  return std::to_integer<std::uint32_t>(from[at]) | std::to_integer<std::uint32_t>(from[at + 1]) << 8;
}

/// Checks that members are in order and unique. This and the next two functions set `last` to the largest member.
bool check_array(roaring_reader& from, std::uint32_t members, std::uint32_t& last) noexcept {
  const auto values = from.take(std::size_t{members} * 2);
  if (from.is_truncated) return false;
  last = number_at(values, 0);
  for (std::size_t at = 2; at < values.size(); at += 2) {
    const std::uint32_t next = number_at(values, at);
    if (next <= last) return false;
    last = next;
  }
  return true;
}

bool check_bitset(roaring_reader& from, std::uint32_t members, std::uint32_t& last) noexcept {
  const auto bytes = from.take(bitset_size);
  if (from.is_truncated) return false;
  std::uint32_t counted = 0;
  for (std::uint32_t at = 0; at < bytes.size(); ++at) {
    const auto byte = std::to_integer<unsigned>(bytes[at]);
    counted += static_cast<std::uint32_t>(std::popcount(byte));
    if (byte) last = at * 8 + static_cast<std::uint32_t>(std::bit_width(byte)) - 1;
  }
  return counted == members;
}

/// Checks that runs are in order, do not overlap, and hold as many members as the header says.
bool check_runs(roaring_reader& from, std::uint32_t members, std::uint32_t& last) noexcept {
  const std::uint32_t count = from.number(2);
  const auto runs = from.take(std::size_t{count} * 4);
  if (from.is_truncated || count == 0) return false;
  std::uint32_t counted = 0;
  for (std::size_t at = 0; at < runs.size(); at += 4) {
    const std::uint32_t first = number_at(runs, at), more = number_at(runs, at + 2);
    if ((at > 0 && first <= last) || more > 0xffff - first) return false;
    last = first + more;
    counted += more + 1;
  }
  return counted == members;
}

}  // namespace

bool is_valid_roaring(std::span<const std::byte> bytes, std::uint64_t bits) noexcept {
  roaring_reader from{bytes};
  const std::uint32_t cookie = from.number(4);
  const bool may_have_runs = (cookie & 0xffff) == cookie_with_runs;
  if (!may_have_runs && cookie != cookie_without_runs) return false;
  const std::uint32_t count = may_have_runs ? (cookie >> 16) + 1 : from.number(4);
  if (from.is_truncated || count > 0x10000) return false;

  const auto runs = from.take(may_have_runs ? (count + 7) / 8 : 0);
  const auto heads = from.take(std::size_t{count} * 4);
  const bool has_offsets = !may_have_runs || count >= min_with_offsets;
  roaring_reader offsets{from.take(has_offsets ? std::size_t{count} * 4 : 0)};
  if (from.is_truncated) return false;

  std::int64_t key_before = -1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t key = number_at(heads, std::size_t{i} * 4),
                        members = number_at(heads, std::size_t{i} * 4 + 2) + 1;
    if (key <= key_before) return false;
    key_before = key;
    if (has_offsets && offsets.number(4) != from.taken) return false;
    const bool is_run = may_have_runs && (std::to_integer<unsigned>(runs[i / 8]) >> i % 8 & 1);
    std::uint32_t last = 0;
    const bool sound = is_run                         ? check_runs(from, members, last)
                       : members <= max_array_members ? check_array(from, members, last)
                                                      : check_bitset(from, members, last);
    if (!sound || (std::uint64_t{key} << 16 | last) >= bits) return false;
  }
  return from.left.empty();
}

// Bitmaps are written directly from packed bits. CRoaring would need the indices of set bits and build a tree of
// containers.

namespace {

struct container_counts {
  std::uint32_t set = 0, runs = 0;

  bool as_array() const noexcept { return set <= max_array_members; }
  std::size_t plain_size() const noexcept { return as_array() ? std::size_t{set} * 2 : bitset_size; }
  std::size_t runs_size() const noexcept { return 2 + std::size_t{runs} * 4; }
  bool as_runs() const noexcept { return runs_size() < plain_size(); }
  std::size_t size() const noexcept { return std::min(plain_size(), runs_size()); }
};

/// Loads up to eight bytes, the first bit highest, padded with zeros.
std::uint64_t packed_word(std::span<const std::byte> packed, std::size_t at) noexcept {
  if (wire::fits(at, 8, packed.size())) return wire::load_be<std::uint64_t>(packed, at);
  std::array<std::byte, 8> padded{};
  std::copy(packed.begin() + static_cast<std::ptrdiff_t>(at), packed.end(), padded.begin());
  return wire::load_be<std::uint64_t>(padded.data());
}

container_counts count_bits_set(std::span<const std::byte> packed) noexcept {
  container_counts out;
  std::uint64_t last = 0;
  for (std::size_t at = 0; at < packed.size(); at += 8) {
    const std::uint64_t word = packed_word(packed, at), before = word >> 1 | last << 63;
    out.set += static_cast<std::uint32_t>(std::popcount(word));
    out.runs += static_cast<std::uint32_t>(std::popcount(word & ~before));
    last = word & 1;
  }
  return out;
}

/// Returns the bits of container `key`; the last one may have fewer than 65536.
std::span<const std::byte> bits_of(std::span<const std::byte> packed, std::size_t key) noexcept {
  const auto from = packed.subspan(key * bitset_size);
  return from.first(std::min(from.size(), bitset_size));
}

void write_array_container(std::span<const std::byte> packed, little_endian_writer& to) noexcept {
  for (std::size_t at = 0; at < packed.size(); at += 8)
    for (std::uint64_t word = packed_word(packed, at); word != 0;) {
      const auto bit = static_cast<unsigned>(std::countl_zero(word));
      to.put(static_cast<std::uint16_t>(at * 8 + bit));
      word &= ~(std::uint64_t{1} << (63 - bit));
    }
}

/// The first bit of a byte in a bitmap is the lowest one.
void write_bitmap_container(std::span<const std::byte> packed, little_endian_writer& to) noexcept {
  for (std::size_t at = 0; at < bitset_size; at += 8) {
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

std::uint64_t max_roaring_bytes(std::uint64_t bits) noexcept {
  constexpr std::uint64_t header_bytes = 8,
                          bytes_per_container = bitset_size + 9;  // key, size, offset and run flag
  return header_bytes + (bits / 65536 + 1) * bytes_per_container;
}

std::size_t write_roaring(std::span<const std::byte> packed, std::span<std::byte> out) noexcept {
  const std::size_t keys = (packed.size() + bitset_size - 1) / bitset_size;
  std::size_t count = 0, run_containers = 0;
  for (std::size_t key = 0; key < keys; ++key) {
    const auto counts = count_bits_set(bits_of(packed, key));
    count += counts.set != 0;
    run_containers += counts.set != 0 && counts.as_runs();
  }

  little_endian_writer head(out);
  if (run_containers == 0) {
    head.put(cookie_without_runs), head.put(static_cast<std::uint32_t>(count));
  } else {
    head.put(cookie_with_runs | static_cast<std::uint32_t>(count - 1) << 16);
  }
  const auto flags = head.skip(run_containers == 0 ? 0 : (count + 7) / 8);
  std::fill(flags.begin(), flags.end(), std::byte{0});
  little_endian_writer key_writer(head.skip(count * 4));
  little_endian_writer offset_writer(head.skip(run_containers == 0 || count >= min_with_offsets ? count * 4 : 0));
  const bool has_offsets = offset_writer.room() > 0;

  for (std::size_t key = 0, nth = 0; key < keys; ++key) {
    const auto bits = bits_of(packed, key);
    const auto counts = count_bits_set(bits);
    if (counts.set == 0) continue;
    key_writer.put(static_cast<std::uint16_t>(key)), key_writer.put(static_cast<std::uint16_t>(counts.set - 1));
    if (has_offsets) offset_writer.put(static_cast<std::uint32_t>(out.size() - head.room()));
    if (counts.as_runs()) {
      flags[nth / 8] |= std::byte(1u << nth % 8);
      write_run_container(bits, counts.runs, head);
    } else if (counts.as_array()) {
      write_array_container(bits, head);
    } else {
      write_bitmap_container(bits, head);
    }
    ++nth;
  }
  return out.size() - head.room();
}

}  // namespace tgmap::codec

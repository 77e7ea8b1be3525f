// SPDX-License-Identifier: Apache-2.0
// The format: https://github.com/RoaringBitmap/RoaringFormatSpec; all numbers little-endian.
#include "codec/roaring_check.hpp"

#include <bit>
#include <utility>

namespace tgmap::codec {

namespace {

constexpr std::uint32_t cookie_without_runs = 12346, cookie_with_runs = 12347;
constexpr std::uint32_t least_with_offsets = 4;  ///< containers, where there may be runs
constexpr std::uint32_t most_in_array = 4096;
constexpr std::size_t bitset_size = 8192;

/// Reads on; once it has run out, only zeros come.
struct roaring_reader {
  std::span<const std::byte> left;
  std::size_t taken = 0;
  bool short_of = false;

  std::span<const std::byte> take(std::size_t n) noexcept {
    if (n > left.size()) {
      short_of = true;
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

/// Members in order, none twice. Each of these checks sets `last` to the greatest member.
bool check_array(roaring_reader& from, std::uint32_t members, std::uint32_t& last) noexcept {
  const auto values = from.take(std::size_t{members} * 2);
  if (from.short_of) return false;
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
  if (from.short_of) return false;
  std::uint32_t counted = 0;
  for (std::uint32_t at = 0; at < bytes.size(); ++at) {
    const auto byte = std::to_integer<unsigned>(bytes[at]);
    counted += static_cast<std::uint32_t>(std::popcount(byte));
    if (byte) last = at * 8 + static_cast<std::uint32_t>(std::bit_width(byte)) - 1;
  }
  return counted == members;
}

/// Runs in order, none over another, that hold as many members as the header says.
bool check_runs(roaring_reader& from, std::uint32_t members, std::uint32_t& last) noexcept {
  const std::uint32_t count = from.number(2);
  const auto runs = from.take(std::size_t{count} * 4);
  if (from.short_of || count == 0) return false;
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

bool well_formed_roaring(std::span<const std::byte> bytes, std::uint64_t bits) noexcept {
  roaring_reader from{bytes};
  const std::uint32_t cookie = from.number(4);
  const bool may_run = (cookie & 0xffff) == cookie_with_runs;
  if (!may_run && cookie != cookie_without_runs) return false;
  const std::uint32_t count = may_run ? (cookie >> 16) + 1 : from.number(4);
  if (from.short_of || count > 0x10000) return false;

  const auto runs = from.take(may_run ? (count + 7) / 8 : 0);
  const auto heads = from.take(std::size_t{count} * 4);
  const bool offsets_there = !may_run || count >= least_with_offsets;
  roaring_reader offsets{from.take(offsets_there ? std::size_t{count} * 4 : 0)};
  if (from.short_of) return false;

  std::int64_t key_before = -1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t key = number_at(heads, std::size_t{i} * 4),
                        members = number_at(heads, std::size_t{i} * 4 + 2) + 1;
    if (key <= key_before) return false;
    key_before = key;
    if (offsets_there && offsets.number(4) != from.taken) return false;
    const bool is_run = may_run && (std::to_integer<unsigned>(runs[i / 8]) >> i % 8 & 1);
    std::uint32_t last = 0;
    const bool sound = is_run                     ? check_runs(from, members, last)
                       : members <= most_in_array ? check_array(from, members, last)
                                                  : check_bitset(from, members, last);
    if (!sound || (std::uint64_t{key} << 16 | last) >= bits) return false;
  }
  return from.left.empty();
}

}  // namespace tgmap::codec

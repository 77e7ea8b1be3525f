// SPDX-License-Identifier: Apache-2.0
#include "codec/bit_runs.hpp"

#include <algorithm>
#include <cstring>

namespace tgmap::codec {

namespace {

/// The next LEB128 number, at most 64 bits of it. False at the end, or where it is longer.
bool take_leb128(std::span<const std::byte>& from, std::uint64_t& out) noexcept {
  out = 0;
  for (unsigned shift = 0; shift < 64 && !from.empty(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(from.front());
    from = from.subspan(1);
    if (shift == 63 && byte > 1) return false;
    out |= (byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace

void set_bits(std::span<std::byte> packed, std::uint64_t first, std::uint64_t count) noexcept {
  if (count == 0) return;
  const std::uint64_t last = first + count - 1;
  const auto head = std::byte(0xffu >> first % 8), tail = std::byte(0xff00u >> (last % 8 + 1));
  std::byte* const begin = packed.data() + first / 8;
  std::byte* const end = packed.data() + last / 8;
  if (begin == end) {
    *begin |= head & tail;
    return;
  }
  *begin |= head;
  std::fill(begin + 1, end, std::byte{0xff});
  *end |= tail;
}

bool unpack_runs(std::span<const std::byte> runs, std::uint64_t bits, std::span<std::byte> packed,
                 std::uint64_t& told) noexcept {
  told = 0;
  std::fill(packed.begin(), packed.end(), std::byte{0});
  if (runs.empty()) return bits == 0;
  if (bits == 0 || runs.front() > std::byte{1}) return false;
  bool value = runs.front() == std::byte{1};
  for (runs = runs.subspan(1); !runs.empty(); value = !value) {
    std::uint64_t length = 0;
    if (!take_leb128(runs, length) || length == 0) return false;
    if (length > bits - told) {
      told = length > UINT64_MAX - told ? UINT64_MAX : told + length;
      return false;
    }
    if (value) set_bits(packed, told, length);
    told += length;
  }
  return told == bits;
}

}  // namespace tgmap::codec

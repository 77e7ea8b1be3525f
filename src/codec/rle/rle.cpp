// SPDX-License-Identifier: Apache-2.0
#include "codec/rle/rle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codec/bit_count.hpp"
#include "codec/codec_functions.hpp"
#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

/// Takes a LEB128 number from the front. Returns false at the end, or if it has more than 64 bits.
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

bool read_runs(std::span<const std::byte> runs, std::uint64_t bits, std::span<std::byte> packed,
               std::uint64_t& total) noexcept {
  total = 0;
  std::fill(packed.begin(), packed.end(), std::byte{0});
  if (runs.empty()) return bits == 0;
  if (bits == 0 || runs.front() > std::byte{1}) return false;
  bool value = runs.front() == std::byte{1};
  for (runs = runs.subspan(1); !runs.empty(); value = !value) {
    std::uint64_t length = 0;
    if (!take_leb128(runs, length) || length == 0) return false;
    if (length > bits - total) {
      total = length > UINT64_MAX - total ? UINT64_MAX : total + length;
      return false;
    }
    if (value) set_bits(packed, total, length);
    total += length;
  }
  return total == bits;
}

namespace {

/// Loads eight bytes from `at` on, the first bit highest. Bytes past the end repeat the last bit.
std::uint64_t eight_bytes(std::span<const std::byte> packed, std::size_t at) noexcept {
  if (wire::fits(at, 8, packed.size())) return wire::load_be<std::uint64_t>(packed, at);
  const bool last = (packed.back() & std::byte{1}) != std::byte{0};
  std::array<std::byte, 8> padded;
  padded.fill(last ? std::byte{0xff} : std::byte{0});
  std::copy(packed.begin() + static_cast<std::ptrdiff_t>(at), packed.end(), padded.begin());
  return wire::load_be<std::uint64_t>(padded.data());
}

}  // namespace

std::uint64_t end_of_run(std::span<const std::byte> packed, std::uint64_t bits, std::uint64_t from) noexcept {
  auto at = static_cast<std::size_t>(from / 8);
  const auto into = static_cast<int>(from % 8);
  std::uint64_t word = eight_bytes(packed, at) << into;
  const bool value = word >> 63 != 0;
  const std::uint64_t same = value ? UINT64_MAX : 0;
  // The first eight bytes are shifted left and so have fewer bits.
  const int first = std::countl_zero(word ^ same);
  if (first < 64 - into) return std::min(bits, from + static_cast<std::uint64_t>(first));
  for (at += 8; at < packed.size(); at += 8) {
    word = eight_bytes(packed, at) ^ same;
    if (word != 0) return std::min(bits, std::uint64_t{at} * 8 + static_cast<std::uint64_t>(std::countl_zero(word)));
  }
  return bits;
}

std::uint64_t max_run_bytes(std::span<const std::byte> packed, std::uint64_t bits) noexcept {
  std::uint64_t changes = 0, last = 0;
  for (std::size_t at = 0; at < packed.size(); at += 8) {
    const std::uint64_t word = eight_bytes(packed, at);
    changes += static_cast<std::uint64_t>(std::popcount(word ^ (word >> 1 | last << 63)));
    last = word & 1;
  }
  return 2 + changes + bits / 128;  // the first value, a byte per run, and one for each further 7 bits of a length
}

std::size_t write_runs(std::span<const std::byte> packed, std::uint64_t bits, std::span<std::byte> out) noexcept {
  if (bits == 0) return 0;
  std::size_t to = 0;
  out[to++] = packed.front() >> 7;
  for (std::uint64_t at = 0; at < bits;) {
    const std::uint64_t end = end_of_run(packed, bits, at);
    std::uint64_t length = end - at;
    for (; length > 0x7f; length >>= 7) out[to++] = static_cast<std::byte>(length) | std::byte{0x80};
    out[to++] = static_cast<std::byte>(length);
    at = end;
  }
  return to;
}

// rle as a compression (§7.10).

failure decompress_rle(const compressed_payload& payload, std::span<std::byte> out) noexcept {
  counted_bits counted;
  if (auto why = split_bit_count(payload, out.size(), counted)) return why;
  std::uint64_t total = 0;
  if (read_runs(counted.blob, counted.bits, out, total)) return {};
  if (total > counted.bits) return decoded_size(out.size(), total / 8 + (total % 8 != 0));
  return codec_failed();
}

// Compression by rle (§7.10). The count includes the padding bits after the last element.

failure compress_rle(const compression_input& input, core::scratch& memory, compression_output& out) noexcept {
  std::uint64_t bits = 0;
  failure why = count_bits(input.bytes.size(), bits);
  if (why) return why;
  const auto to = memory.take(bit_count_bytes + max_run_bytes(input.bytes, bits), why);
  if (why) return why;
  store_bit_count(bits, to);
  out.bytes = to.first(bit_count_bytes + write_runs(input.bytes, bits, to.subspan(bit_count_bytes)));
  return {};
}

}  // namespace tgmap::codec

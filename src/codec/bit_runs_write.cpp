// SPDX-License-Identifier: Apache-2.0
#include "codec/bit_runs_write.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

/// Eight bytes from `at` on, the first bit highest. Those behind the end repeat the last bit.
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
  std::uint64_t here = eight_bytes(packed, at) << into;
  const bool value = here >> 63 != 0;
  const std::uint64_t same = value ? UINT64_MAX : 0;
  // Moved to the left, the first eight bytes have bits less than the others.
  const int first = std::countl_zero(here ^ same);
  if (first < 64 - into) return std::min(bits, from + static_cast<std::uint64_t>(first));
  for (at += 8; at < packed.size(); at += 8) {
    here = eight_bytes(packed, at) ^ same;
    if (here != 0) return std::min(bits, std::uint64_t{at} * 8 + static_cast<std::uint64_t>(std::countl_zero(here)));
  }
  return bits;
}

std::uint64_t most_run_bytes(std::span<const std::byte> packed, std::uint64_t bits) noexcept {
  std::uint64_t changes = 0, last = 0;
  for (std::size_t at = 0; at < packed.size(); at += 8) {
    const std::uint64_t here = eight_bytes(packed, at);
    changes += static_cast<std::uint64_t>(std::popcount(here ^ (here >> 1 | last << 63)));
    last = here & 1;
  }
  return 2 + changes + bits / 128;  // the value, a byte a run, and another for every seven bits of a length
}

std::size_t pack_runs(std::span<const std::byte> packed, std::uint64_t bits, std::span<std::byte> out) noexcept {
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

}  // namespace tgmap::codec

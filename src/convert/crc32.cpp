// SPDX-License-Identifier: Apache-2.0
#include "convert/crc32.hpp"

#include <array>

namespace tgmap::convert {

namespace {

constexpr std::size_t step = 8;
using table = std::array<std::uint32_t, 256>;

/// What a byte does to the remainder when `n` more bytes of zero follow it.
constexpr std::array<table, step> tables = [] {
  std::array<table, step> out{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1) * 0xedb88320U;
    out[0][byte] = rest;
  }
  for (std::size_t n = 1; n < step; ++n)
    for (std::size_t byte = 0; byte < 256; ++byte)
      out[n][byte] = out[n - 1][byte] >> 8 ^ out[0][out[n - 1][byte] & 0xff];
  return out;
}();

}  // namespace

void crc32::add(std::span<const std::byte> data) noexcept {
  std::uint32_t crc = state_;
  const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(data[i]); };
  for (; data.size() >= step; data = data.subspan(step)) {
    crc ^= at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24;
    crc = tables[7][crc & 0xff] ^ tables[6][crc >> 8 & 0xff] ^ tables[5][crc >> 16 & 0xff] ^ tables[4][crc >> 24] ^
          tables[3][at(4)] ^ tables[2][at(5)] ^ tables[1][at(6)] ^ tables[0][at(7)];
  }
  for (std::size_t i = 0; i < data.size(); ++i) crc = crc >> 8 ^ tables[0][(crc ^ at(i)) & 0xff];
  state_ = crc;
}

}  // namespace tgmap::convert

// SPDX-License-Identifier: Apache-2.0
// Packed integers as text of zeros and ones: slow, and easy to check by eye.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tgmap_test {

/// Returns `number` as `bits` digits.
inline std::string binary(std::uint64_t number, unsigned bits) {
  std::string out;
  for (unsigned i = bits; i > 0; --i) out += (number >> (i - 1) & 1) != 0 ? '1' : '0';
  return out;
}

/// Returns digits as bytes, the first one in the highest bit; spaces are ignored, the last byte ends with zeros.
inline std::vector<std::byte> bytes_of_binary(std::string_view digits) {
  std::vector<std::byte> out;
  unsigned used = 8;
  for (const char each : digits) {
    if (each == ' ') continue;
    if (used == 8) {
      out.push_back(std::byte{0});
      used = 0;
    }
    if (each == '1') out.back() |= static_cast<std::byte>(0x80 >> used);
    ++used;
  }
  return out;
}

}  // namespace tgmap_test

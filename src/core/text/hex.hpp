// SPDX-License-Identifier: Apache-2.0
// Hexadecimal digits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tgmap::core {

/// Returns the value of a digit, in lower or upper case; nothing for other characters.
constexpr std::optional<std::uint8_t> hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint8_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint8_t>(c - 'A' + 10);
  return std::nullopt;
}

/// Returns the two digits of a byte.
constexpr std::array<char, 2> hex_digits(std::uint8_t byte, bool upper_case = false) noexcept {
  const std::string_view digits = upper_case ? "0123456789ABCDEF" : "0123456789abcdef";
  return {digits[byte >> 4], digits[byte & 15]};
}

/// Returns the sixteen digits of a 64-bit number, as the format writes hashes.
constexpr std::array<char, 16> hex_digits(std::uint64_t number) noexcept {
  std::array<char, 16> out{};
  for (std::size_t i = out.size(); i-- > 0; number >>= 4) out[i] = "0123456789abcdef"[number & 15];
  return out;
}

/// Returns the sixteen digits of a 64-bit number as text.
inline std::string hex_text(std::uint64_t number) {
  const std::array<char, 16> digits = hex_digits(number);
  return {digits.data(), digits.size()};
}

/// Returns two digits for each byte.
inline std::string hex_text(std::string_view bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char each : bytes) {
    const std::array<char, 2> pair = hex_digits(static_cast<std::uint8_t>(each));
    out.append(pair.data(), pair.size());
  }
  return out;
}

}  // namespace tgmap::core

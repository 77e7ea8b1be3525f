// SPDX-License-Identifier: Apache-2.0
#include "zio/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::span<const std::byte> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < here ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
    for (std::size_t i = 0; i < 4; ++i) out += i <= here ? digits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::vector<std::byte> out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::string_view four = text.substr(at, 4);
    if (at + 4 == text.size())
      while (four.size() > 2 && four.back() == '=') four.remove_suffix(1);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t digit = i < four.size() ? digits.find(four[i]) : 0;
      if (digit == digits.npos) return std::nullopt;
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t i = 1; i < four.size(); ++i) out.push_back(static_cast<std::byte>(bits >> (24 - 8 * i)));
  }
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap

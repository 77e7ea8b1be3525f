// SPDX-License-Identifier: Apache-2.0
#include "constant/big_endian.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

std::uint16_t turned(std::uint16_t word) noexcept { return __builtin_bswap16(word); }
std::uint32_t turned(std::uint32_t word) noexcept { return __builtin_bswap32(word); }
std::uint64_t turned(std::uint64_t word) noexcept { return __builtin_bswap64(word); }

template <class Word>
void copy_turned(std::byte* to, const std::byte* from, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, from + i * sizeof word, sizeof word);
    word = turned(word);
    std::memcpy(to + i * sizeof word, &word, sizeof word);
  }
}

}  // namespace

void copy_big_endian(dtype cells, std::byte* to, const std::byte* from, std::size_t count) noexcept {
  if (count == 0) return;
  const std::size_t each = width(cells);
  if (std::endian::native == std::endian::big || each == 1)
    std::memcpy(to, from, count * each);
  else if (each == 2)
    copy_turned<std::uint16_t>(to, from, count);
  else if (each == 4)
    copy_turned<std::uint32_t>(to, from, count);
  else
    copy_turned<std::uint64_t>(to, from, count);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

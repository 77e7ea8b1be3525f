// SPDX-License-Identifier: Apache-2.0
#include "convert/elements.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tgmap/mapping_guard.hpp>
#include <vector>

#include "convert/c_order.hpp"

namespace tgmap::convert {

namespace {

constexpr std::uint64_t block_size = std::uint64_t{1} << 20;  // a multiple of every width
constexpr std::size_t whole_piece = std::size_t{16} << 20;    // of elements that go out as they are

bool bits(const tensor& t) noexcept { return t.dtype() == dtype::bitmask; }
std::size_t written_width(const tensor& t) noexcept { return bits(t) ? 1 : element_size(t.dtype()); }

std::uint16_t swapped(std::uint16_t word) noexcept { return __builtin_bswap16(word); }
std::uint32_t swapped(std::uint32_t word) noexcept { return __builtin_bswap32(word); }
std::uint64_t swapped(std::uint64_t word) noexcept { return __builtin_bswap64(word); }

template <class Word>
void swap_each(std::span<std::byte> data) noexcept {
  for (std::size_t at = 0; at + sizeof(Word) <= data.size(); at += sizeof(Word)) {
    Word word;
    std::memcpy(&word, data.data() + at, sizeof word);
    word = swapped(word);
    std::memcpy(data.data() + at, &word, sizeof word);
  }
}

bool little_already(const tensor& from) noexcept {
  return from.byte_order() == byte_order::little || swap_unit(from.dtype()) < 2;
}

void make_little_endian(std::span<std::byte> data, const tensor& from) noexcept {
  if (little_already(from)) return;
  switch (swap_unit(from.dtype())) {
    case 2: return swap_each<std::uint16_t>(data);
    case 4: return swap_each<std::uint32_t>(data);
    default: return swap_each<std::uint64_t>(data);
  }
}

std::byte bit(std::span<const std::byte> packed, std::uint64_t i) noexcept {
  return packed[static_cast<std::size_t>(i / 8)] >> (7 - i % 8) & std::byte{1};
}

/// Fills blocks with `fill(first element, block)` and passes them on. Elements may be borrowed: see mapping_guard.
template <class Fill>
void in_blocks(const tensor& from, const sink& to, Fill&& fill) {
  const std::size_t each = written_width(from);
  std::vector<std::byte> block(static_cast<std::size_t>(std::min(from.size(), block_size / each)) * each);
  for (std::uint64_t done = 0; done < from.size();) {
    const auto count = std::min<std::uint64_t>(block.size() / each, from.size() - done);
    const auto piece = std::span(block).first(static_cast<std::size_t>(count) * each);
    const failure why = mapping_guard::run([&]() noexcept {
      fill(done, piece);
      make_little_endian(piece, from);
    });
    if (why) throw error(why);
    to(piece);
    done += count;
  }
}

}  // namespace

void copy_elements(const tensor& from, const sink& to) {
  const auto all = from.bytes();
  if (bits(from)) {
    in_blocks(from, to, [&](std::uint64_t first, std::span<std::byte> out) noexcept {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = bit(all, first + i);
    });
  } else if (from.is_borrowed() || !little_already(from)) {
    in_blocks(from, to, [&](std::uint64_t first, std::span<std::byte> out) noexcept {
      std::memcpy(out.data(), all.data() + first * element_size(from.dtype()), out.size());
    });
  } else {
    for (auto rest = all; !rest.empty(); rest = rest.subspan(std::min(rest.size(), whole_piece)))
      to(rest.first(std::min(rest.size(), whole_piece)));
  }
}

void gather_elements(const tensor& from, const sink& to) {
  const auto all = from.bytes();
  const std::size_t each = written_width(from);
  c_order walk(from);
  in_blocks(from, to, [&](std::uint64_t, std::span<std::byte> out) noexcept {
    for (std::size_t at = 0; at < out.size(); at += each, walk.advance()) {
      if (bits(from))
        out[at] = bit(all, walk.position());
      else
        std::memcpy(&out[at], &all[static_cast<std::size_t>(walk.position()) * each], each);
    }
  });
}

}  // namespace tgmap::convert

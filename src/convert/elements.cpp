// SPDX-License-Identifier: Apache-2.0
#include "convert/elements.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tgmap::convert {

namespace {

using bytes = std::vector<std::byte>;

constexpr std::uint64_t block_size = std::uint64_t{1} << 20;  // a multiple of every width

/// Calls `each(span)` for the payload, block by block.
template <class F>
void for_each_block(const object& from, F&& each) {
  bytes block(static_cast<std::size_t>(std::min(from.payload_size(), block_size)));
  for (std::uint64_t at = 0; at < from.payload_size(); at += block.size()) {
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), from.payload_size() - at));
    const auto piece = std::span(block).first(length);
    from.read(piece, at);
    each(piece);
  }
}

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

void make_little_endian(std::span<std::byte> data, const descriptor& what) noexcept {
  if (what.byte_order == byte_order::little) return;
  switch (swap_unit(what.dtype)) {
    case 2: return swap_each<std::uint16_t>(data);
    case 4: return swap_each<std::uint32_t>(data);
    case 8: return swap_each<std::uint64_t>(data);
    default: return;
  }
}

std::byte bit(std::span<const std::byte> packed, std::uint64_t i) noexcept {
  return packed[static_cast<std::size_t>(i / 8)] >> (7 - i % 8) & std::byte{1};
}

/// Where the elements of a tensor lie, asked for in C order.
class c_order_walk {
 public:
  explicit c_order_walk(const descriptor& what)
      : shape_(what.shape()), strides_(what.strides()), index_(shape_.size(), 0) {}

  std::uint64_t position() const noexcept { return position_; }

  void advance() noexcept {
    for (std::size_t d = shape_.size(); d-- > 0;) {
      position_ += strides_[d];
      if (++index_[d] < shape_[d]) return;
      position_ -= strides_[d] * shape_[d];
      index_[d] = 0;
    }
  }

 private:
  std::span<const std::uint64_t> shape_, strides_;
  std::vector<std::uint64_t> index_;
  std::uint64_t position_ = 0;
};

void copy_bits(const object& from, std::uint64_t elements, const sink& to) {
  bytes unpacked;
  for_each_block(from, [&](std::span<const std::byte> packed) {
    unpacked.resize(static_cast<std::size_t>(std::min<std::uint64_t>(elements, packed.size() * 8)));
    for (std::size_t i = 0; i < unpacked.size(); ++i) unpacked[i] = bit(packed, i);
    to(unpacked);
    elements -= unpacked.size();
  });
}

}  // namespace

void copy_payload(const object& from, const sink& to) { for_each_block(from, to); }

void copy_elements(const object& from, const descriptor& what, const sink& to) {
  if (what.dtype == dtype::bitmask) return copy_bits(from, what.elements, to);
  for_each_block(from, [&](std::span<std::byte> piece) {
    make_little_endian(piece, what);
    to(piece);
  });
}

void gather_elements(const object& from, const descriptor& what, const sink& to) {
  bytes stored(static_cast<std::size_t>(from.payload_size()));
  from.read(stored);

  const bool bits = what.dtype == dtype::bitmask;
  const std::size_t each = bits ? 1 : width(what.dtype);
  bytes block(static_cast<std::size_t>(std::min(what.elements, block_size / each)) * each);
  c_order_walk walk(what);
  for (std::uint64_t done = 0; done < what.elements;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(block.size() / each, what.elements - done));
    for (std::size_t i = 0; i < count; ++i, walk.advance()) {
      if (bits)
        block[i] = bit(stored, walk.position());
      else
        std::memcpy(&block[i * each], &stored[static_cast<std::size_t>(walk.position()) * each], each);
    }
    const auto piece = std::span(block).first(count * each);
    make_little_endian(piece, what);
    to(piece);
    done += count;
  }
}

}  // namespace tgmap::convert

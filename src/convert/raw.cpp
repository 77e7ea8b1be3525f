// SPDX-License-Identifier: Apache-2.0
#include "convert/raw.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <tgmap/array_view.hpp>
#include <tgmap/mapping_guard.hpp>
#include <vector>

#include "core/c_order_iterator.hpp"

namespace tgmap::convert {

namespace {

constexpr std::uint64_t block_size = std::uint64_t{1} << 20;  // a multiple of every element size
constexpr std::size_t max_piece = std::size_t{16} << 20;      // of elements written without a copy

bool is_bitmask(const tensor& t) noexcept { return t.dtype() == dtype::bitmask; }
std::size_t written_size(const tensor& t) noexcept { return is_bitmask(t) ? 1 : element_size(t.dtype()); }

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

bool is_little_endian(const tensor& tensor) noexcept {
  return tensor.byte_order() == byte_order::little || swap_unit(tensor.dtype()) < 2;
}

void make_little_endian(std::span<std::byte> data, const tensor& tensor) noexcept {
  if (is_little_endian(tensor)) return;
  switch (swap_unit(tensor.dtype())) {
    case 2: return swap_each<std::uint16_t>(data);
    case 4: return swap_each<std::uint32_t>(data);
    default: return swap_each<std::uint64_t>(data);
  }
}

std::byte bit(std::span<const std::byte> packed, std::uint64_t i) noexcept {
  return packed[static_cast<std::size_t>(i / 8)] >> (7 - i % 8) & std::byte{1};
}

/// Fills blocks with `fill(first element, block)` and writes them. `fill` runs under the mapping guard, because
/// elements may be borrowed.
template <class Fill>
void write_blocks(const tensor& tensor, const write_function& write, Fill&& fill) {
  const std::size_t each = written_size(tensor);
  std::vector<std::byte> block(static_cast<std::size_t>(std::min(tensor.size(), block_size / each)) * each);
  for (std::uint64_t done = 0; done < tensor.size();) {
    const auto count = std::min<std::uint64_t>(block.size() / each, tensor.size() - done);
    const auto piece = std::span(block).first(static_cast<std::size_t>(count) * each);
    const failure why = mapping_guard::run([&]() noexcept {
      fill(done, piece);
      make_little_endian(piece, tensor);
    });
    if (why) throw error(why);
    write(piece);
    done += count;
  }
}

}  // namespace

void copy_elements(const tensor& tensor, const write_function& write) {
  const auto all = tensor.bytes();
  if (is_bitmask(tensor)) {
    write_blocks(tensor, write, [&](std::uint64_t first, std::span<std::byte> out) noexcept {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = bit(all, first + i);
    });
  } else if (tensor.is_borrowed() || !is_little_endian(tensor)) {
    write_blocks(tensor, write, [&](std::uint64_t first, std::span<std::byte> out) noexcept {
      std::memcpy(out.data(), all.data() + first * element_size(tensor.dtype()), out.size());
    });
  } else {
    for (auto rest = all; !rest.empty(); rest = rest.subspan(std::min(rest.size(), max_piece)))
      write(rest.first(std::min(rest.size(), max_piece)));
  }
}

void gather_elements(const tensor& tensor, const write_function& write) {
  const auto all = tensor.bytes();
  const std::size_t each = written_size(tensor);
  core::c_order_iterator element(tensor.shape(), tensor.strides());
  write_blocks(tensor, write, [&](std::uint64_t, std::span<std::byte> out) noexcept {
    for (std::size_t at = 0; at < out.size(); at += each, element.advance()) {
      if (is_bitmask(tensor))
        out[at] = bit(all, element.position());
      else
        std::memcpy(&out[at], &all[static_cast<std::size_t>(element.position()) * each], each);
    }
  });
}

void write_raw(const tensor& tensor, const write_function& write) {
  storage_order_of(tensor.shape(), tensor.strides()) == storage_order::c ? copy_elements(tensor, write)
                                                                         : gather_elements(tensor, write);
}

void copy_payload(const object& object, const write_function& write) {
  std::vector<std::byte> block(static_cast<std::size_t>(std::min(object.payload_size(), block_size)));
  for (std::uint64_t at = 0; at < object.payload_size(); at += block.size()) {
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), object.payload_size() - at));
    const auto piece = std::span(block).first(length);
    object.read(at, piece);
    write(piece);
  }
}

}  // namespace tgmap::convert

// SPDX-License-Identifier: Apache-2.0
#include "codec/sz3/sz3_huffman.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

/// Among little-endian numbers, counts are stored big-endian.
std::uint32_t take_count(little_endian_reader& reader) noexcept { return wire::reversed(reader.take<std::uint32_t>()); }

/// The numbers of nodes are stored as narrow as their count allows.
std::size_t width_of(std::uint32_t count) noexcept {
  if (count <= 256) return 1;
  return count <= 65536 ? 2 : 4;
}

std::uint32_t take_number(little_endian_reader& reader, std::size_t width) noexcept {
  if (width == 1) return reader.take<std::uint8_t>();
  return width == 2 ? reader.take<std::uint16_t>() : reader.take<std::uint32_t>();
}

}  // namespace

bool sz3_huffman::read(little_endian_reader& reader, std::int64_t symbols, std::uint64_t expected) {
  table_bits_ = std::clamp<unsigned>(static_cast<unsigned>(std::bit_width(expected)), 1, max_table_bits);
  const auto min = reader.take<std::int32_t>();
  const std::uint32_t count = take_count(reader);
  take_count(reader);                                    // unused: half of the number of possible symbols
  const bool little = reader.take<std::uint8_t>() == 0;  // else the writer's machine is big-endian
  if (reader.failed() || !little || count == 0) return false;
  return read_nodes(reader, min, count, symbols) && fill_table();
}

/// Reads the nodes, which are stored as all left children, all right children, all symbols and all leaf flags.
bool sz3_huffman::read_nodes(little_endian_reader& reader, std::int64_t min, std::uint32_t count,
                             std::int64_t symbols) {
  const std::size_t width = width_of(count);
  little_endian_reader left(reader.take_bytes(std::uint64_t{count} * width));
  little_endian_reader right(reader.take_bytes(std::uint64_t{count} * width));
  little_endian_reader symbol(reader.take_bytes(std::uint64_t{count} * sizeof(std::int32_t)));
  little_endian_reader leaf(reader.take_bytes(count));
  if (reader.failed() || count > static_cast<std::uint32_t>(std::numeric_limits<int>::max())) return false;
  nodes_.assign(count, {});
  for (std::uint32_t number = 0; number < count; ++number) {
    auto& each = nodes_[number];
    const std::uint32_t to_left = take_number(left, width), to_right = take_number(right, width);
    const std::int64_t value = min + symbol.take<std::int32_t>();
    if (leaf.take<std::uint8_t>() != 0) {
      if (value < 0 || value >= symbols) return false;
      each.symbol = static_cast<int>(value);
    } else {
      if (to_left <= number || to_right <= number || to_left >= count || to_right >= count) return false;
      each.left = to_left;
      each.right = to_right;
    }
  }
  return true;
}

/// Fills the decoding table. Every node except the root must have exactly one parent; otherwise codes would be missing
/// or ambiguous.
bool sz3_huffman::fill_table() {
  struct place {
    std::uint32_t code = 0, depth = 0;
  };
  std::vector<place> places(nodes_.size());
  table_.assign(std::size_t{1} << table_bits_, {});
  for (std::uint32_t number = 0; number < nodes_.size(); ++number) {
    const auto [code, depth] = places[number];
    if (number > 0 && depth == 0) return false;
    if (depth <= table_bits_ && (is_leaf(number) || depth == table_bits_)) {
      const unsigned free = table_bits_ - depth;
      const entry filled{.first = is_leaf(number) ? nodes_[number].symbol : static_cast<int>(number),
                         .length = static_cast<std::uint8_t>(depth),
                         .codes = static_cast<std::uint8_t>(is_leaf(number))};
      std::fill_n(table_.begin() + (std::ptrdiff_t{code} << free), std::size_t{1} << free, filled);
    }
    if (is_leaf(number)) continue;
    const bool below = depth >= table_bits_;  // the table only records that they exist
    for (const std::uint32_t bit : {0U, 1U}) {
      auto& child = places[bit == 0 ? nodes_[number].left : nodes_[number].right];
      if (child.depth != 0) return false;
      child = {below ? 0 : code << 1 | bit, depth + 1};
    }
  }
  pair_codes();
  return true;
}

/// Combines a short code and the complete code after it in one table entry.
void sz3_huffman::pair_codes() {
  const std::vector<entry> single = table_;
  for (std::size_t bits = 0; bits < table_.size(); ++bits) {
    auto& each = table_[bits];
    const auto& next = single[bits << each.length & (table_.size() - 1)];
    if (each.codes == 0 || next.codes == 0 || each.length + next.length > table_bits_) continue;
    each.second = next.first;
    each.length = static_cast<std::uint8_t>(each.length + next.length);
    each.codes = 2;
  }
}

/// Decodes one code bit by bit. Works for every code.
bool sz3_huffman::walk(std::span<const std::byte> bits, std::uint32_t number, std::uint64_t& at,
                       int& symbol) const noexcept {
  for (; !is_leaf(number); ++at) {
    if (at / 8 >= bits.size()) return false;
    const bool right = (std::to_integer<unsigned>(bits[static_cast<std::size_t>(at / 8)]) >> (7 - at % 8) & 1) != 0;
    number = right ? nodes_[number].right : nodes_[number].left;
  }
  symbol = nodes_[number].symbol;
  return true;
}

/// Decodes several codes per load of eight bytes. Stops at the last eight bytes and at an invalid code. Returns the
/// number of symbols.
std::size_t sz3_huffman::decode_fast(std::span<const std::byte> bits, std::uint64_t& position,
                                     std::span<int> out) const noexcept {
  constexpr std::size_t entries_of_a_word = (64 - 7) / max_table_bits;
  const unsigned unused = 64 - table_bits_;
  std::uint64_t at = position;
  std::size_t done = 0;
  while (out.size() - done >= 2 * entries_of_a_word && at / 8 + 8 <= bits.size()) {
    std::uint64_t word = wire::load_be<std::uint64_t>(bits.data() + at / 8) << at % 8;
    for (std::size_t i = 0; i < entries_of_a_word; ++i) {
      const entry& found = table_[word >> unused];
      at += found.length;
      word <<= found.length;
      out[done] = found.first;
      out[done + 1] = found.second;
      done += found.codes;
      if (found.codes != 0) continue;
      if (!walk(bits, static_cast<std::uint32_t>(found.first), at, out[done])) {
        position = at;
        return done;
      }
      ++done;
      break;
    }
  }
  position = at;
  return done;
}

bool sz3_huffman::decode(little_endian_reader& reader, std::span<int> out) const noexcept {
  const auto bits = reader.take_bytes(reader.take<std::uint64_t>());
  if (reader.failed()) return false;
  std::uint64_t at = 0;
  if (is_leaf(0))
    std::fill(out.begin(), out.end(), nodes_[0].symbol);
  else
    for (int& each : out.subspan(decode_fast(bits, at, out)))
      if (!walk(bits, 0, at, each)) return false;
  return at / 8 + (at % 8 != 0 ? 1 : 0) == bits.size();
}

}  // namespace tgmap::codec

// SPDX-License-Identifier: Apache-2.0
// Reads the Huffman codes of SZ3. The decoder of SZ3 does not validate them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/little_endian.hpp"

namespace tgmap::codec {

class sz3_huffman {
 public:
  /// Reads a stored tree, whose symbols must all lie in [0, symbols). `expected`: how many symbols will be decoded, for
  /// choosing the size of the table. False: it is no such tree. Throws std::bad_alloc, in proportion to what is stored.
  [[nodiscard]] bool read(little_endian_reader&, std::int64_t symbols, std::uint64_t expected);

  /// Reads the codes of exactly `out.size()` symbols, which fill the stored bits to the last byte. False: they do not.
  [[nodiscard]] bool decode(little_endian_reader&, std::span<int> out) const noexcept;

 private:
  /// Children have higher numbers than their parent; a left child of 0 marks a leaf.
  struct node {
    std::uint32_t left = 0, right = 0;
    int symbol = 0;
  };
  /// The codes at the next bits: one or two whole codes with their symbols, or the part of a long code that fits.
  struct entry {
    int first = 0;  ///< of no code: the node where the rest begins
    int second = 0;
    std::uint8_t length = 0;
    std::uint8_t codes = 0;
  };

  bool read_nodes(little_endian_reader&, std::int64_t least, std::uint32_t count, std::int64_t symbols);
  bool fill_table();
  void pair_codes();
  bool is_leaf(std::uint32_t number) const noexcept { return nodes_[number].left == 0; }
  bool walk(std::span<const std::byte> bits, std::uint32_t number, std::uint64_t& at, int& symbol) const noexcept;
  std::size_t decode_fast(std::span<const std::byte> bits, std::uint64_t& at, std::span<int> out) const noexcept;

  static constexpr unsigned most_table_bits = 11;
  unsigned table_bits_ = 1;
  std::vector<node> nodes_{};
  std::vector<entry> table_{};
};

}  // namespace tgmap::codec

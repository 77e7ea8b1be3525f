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
  /// Reads a stored tree. All symbols must be in [0, symbols). `expected` is the number of symbols to decode; it
  /// determines the size of the table. Returns false for an invalid tree. Throws std::bad_alloc. Memory is in
  /// proportion to the stored bytes.
  [[nodiscard]] bool read(little_endian_reader&, std::int64_t symbols, std::uint64_t expected);

  /// Decodes `out.size()` symbols. Returns false if they do not fill the stored bits to the last byte.
  [[nodiscard]] bool decode(little_endian_reader&, std::span<int> out) const noexcept;

 private:
  /// Children have higher numbers than their parent; a left child of 0 marks a leaf.
  struct node {
    std::uint32_t left = 0, right = 0;
    int symbol = 0;
  };
  /// The codes that the next bits start with: one or two complete codes, or the first bits of a longer code.
  struct entry {
    int first = 0;  ///< symbol; if `codes` is 0, the node to continue from
    int second = 0;
    std::uint8_t length = 0;
    std::uint8_t codes = 0;
  };

  bool read_nodes(little_endian_reader&, std::int64_t min, std::uint32_t count, std::int64_t symbols);
  bool fill_table();
  void pair_codes();
  bool is_leaf(std::uint32_t number) const noexcept { return nodes_[number].left == 0; }
  bool walk(std::span<const std::byte> bits, std::uint32_t number, std::uint64_t& at, int& symbol) const noexcept;
  std::size_t decode_fast(std::span<const std::byte> bits, std::uint64_t& at, std::span<int> out) const noexcept;

  static constexpr unsigned max_table_bits = 11;
  unsigned table_bits_ = 1;
  std::vector<node> nodes_{};
  std::vector<entry> table_{};
};

}  // namespace tgmap::codec

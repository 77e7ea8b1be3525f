// SPDX-License-Identifier: Apache-2.0
#include "codec/sz3/sz3_huffman.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/bytes.hpp>
#include <support/guarded.hpp>

using namespace tgmap_test;
using namespace tgmap::codec;

BOOST_AUTO_TEST_SUITE(sz3_huffman_test)

namespace {

template <class T>
bytes number(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

struct node {
  std::uint32_t left = 0, right = 0;
  int symbol = 0;
};

/// Returns a stored tree; `least` is added to each symbol.
bytes stored_tree(const std::vector<node>& nodes, int least = 0, bool big_endian = false) {
  const std::size_t width = nodes.size() <= 256 ? 1 : nodes.size() <= 65536 ? 2 : 4;
  bytes left, right, symbols, leaves;
  for (const node& each : nodes) {
    left += number(each.left).substr(0, width);
    right += number(each.right).substr(0, width);
    symbols += number(each.symbol);
    leaves += each.left == 0 ? '\1' : '\0';
  }
  const bytes counts = number(__builtin_bswap32(static_cast<std::uint32_t>(nodes.size()))) + number(0);
  return number(least) + counts + (big_endian ? '\1' : '\0') + left + right + symbols + leaves;
}

bytes stored_bits(const std::string& bits) {
  bytes out((bits.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i] == '1') out[i / 8] |= static_cast<char>(0x80 >> i % 8);
  return number<std::uint64_t>(out.size()) + out;
}

bool reads(const bytes& tree, std::int64_t symbols = 100) {
  guarded_bytes held(tree.size());
  little_endian_reader reader(held.hold(tree));
  sz3_huffman codes;
  return codes.read(reader, symbols, 50);
}

/// 0: 5; 10: 6; 11: 7
const std::vector<node> three{{1, 2}, {.symbol = 5}, {3, 4}, {.symbol = 6}, {.symbol = 7}};

/// Returns a tree with one more bit for each symbol: symbol i is i ones and a zero.
std::vector<node> comb(std::uint32_t depth) {
  std::vector<node> out;
  for (std::uint32_t i = 0; i < depth; ++i) {
    out.push_back({2 * i + 1, 2 * i + 2});
    out.push_back({.symbol = static_cast<int>(i)});
  }
  out.push_back({.symbol = static_cast<int>(depth)});
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(codes_of_several_lengths) {
  const bytes stored = stored_tree(three, -5) + stored_bits("0101100") + "rest";
  little_endian_reader reader(span_of(stored));
  sz3_huffman codes;
  BOOST_TEST_REQUIRE(codes.read(reader, 3, 5));
  std::vector<int> out(5);
  BOOST_TEST_REQUIRE(codes.decode(reader, out));
  BOOST_TEST(out == (std::vector<int>{0, 1, 2, 0, 0}), boost::test_tools::per_element());
  BOOST_TEST(view_of(reader.left()) == "rest");
}

BOOST_AUTO_TEST_CASE(one_symbol_takes_no_bits) {
  for (const bool bits : {false, true}) {
    const bytes stored = stored_tree({{.symbol = 9}}) + stored_bits(bits ? "0" : "");
    little_endian_reader reader(span_of(stored));
    sz3_huffman codes;
    BOOST_TEST_REQUIRE(codes.read(reader, 10, 1000));
    std::vector<int> out(1000);
    BOOST_TEST(codes.decode(reader, out) != bits);
    BOOST_TEST((out == std::vector<int>(1000, 9)));
  }
}

BOOST_AUTO_TEST_CASE(codes_longer_than_the_table_and_than_a_word) {
  std::mt19937 random(1);
  for (const std::uint32_t depth : {5, 11, 12, 63, 64, 65, 150, 40000})
    for (const std::size_t count : {1, 2, 6, 500}) {
      std::vector<int> symbols(count);
      std::string bits;
      for (int& each : symbols) {
        each = static_cast<int>(random() % 2 == 0 ? random() % (depth + 1) : random() % 3);
        bits += std::string(static_cast<std::size_t>(each), '1');
        if (static_cast<std::uint32_t>(each) < depth) bits += '0';
      }
      const bytes stored = stored_tree(comb(depth)) + stored_bits(bits);
      guarded_bytes held(stored.size());
      little_endian_reader reader(held.hold(stored));
      sz3_huffman codes;
      BOOST_TEST_REQUIRE(codes.read(reader, depth + 1, count));
      std::vector<int> out(count);
      BOOST_TEST(codes.decode(reader, out));
      BOOST_TEST((out == symbols));
    }
}

BOOST_AUTO_TEST_CASE(all_bits_are_used) {
  for (const int bytes_more : {-1, 1, 20}) {
    std::string bits(800, '1');
    bits.resize(static_cast<std::size_t>(800 + 8 * bytes_more), '0');
    const bytes stored = stored_tree(three) + stored_bits(bits);
    guarded_bytes held(stored.size());
    little_endian_reader reader(held.hold(stored));
    sz3_huffman codes;
    BOOST_TEST_REQUIRE(codes.read(reader, 8, 400));
    std::vector<int> out(400);
    BOOST_TEST(!codes.decode(reader, out));
  }
}

BOOST_AUTO_TEST_CASE(invalid_trees) {
  BOOST_TEST(reads(stored_tree(three)));
  BOOST_TEST(!reads(stored_tree({})));
  BOOST_TEST(!reads(stored_tree(three, 0, true)));
  BOOST_TEST(!reads(stored_tree(three, -6)));
  BOOST_TEST(!reads(stored_tree(three, 93)));
  BOOST_TEST(reads(stored_tree(three, 92)));
  BOOST_TEST(!reads(stored_tree({{.symbol = INT32_MAX}}, INT32_MAX), std::int64_t{1} << 29));
  for (const node wrong : {node{1, 0}, {1, 1}, {5, 2}, {1, 5}, {255, 255}, {2, 3}}) {
    auto nodes = three;
    nodes[0] = wrong;
    BOOST_TEST(!reads(stored_tree(nodes)));
  }
  for (const node wrong : {node{2, 4}, {1, 4}, {3, 2}, {3, 3}, {4, 4}}) {
    auto nodes = three;
    nodes[2] = wrong;
    BOOST_TEST(!reads(stored_tree(nodes)));
  }
  const bytes whole = stored_tree(three);
  for (std::size_t size = 0; size < whole.size(); ++size) BOOST_TEST(!reads(whole.substr(0, size)));
}

BOOST_AUTO_TEST_CASE(forged_count_allocates_nothing) {
  for (const std::uint32_t count : {0x7fffffffU, 0x80000000U, 0xffffffffU}) {
    bytes stored = stored_tree(three);
    stored.replace(4, 4, number(__builtin_bswap32(count)));
    BOOST_TEST(!reads(stored));
  }
}

BOOST_AUTO_TEST_SUITE_END()

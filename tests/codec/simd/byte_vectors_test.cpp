// SPDX-License-Identifier: Apache-2.0
// Functions that move bytes, with every instruction set of this machine.
#include <boost/test/unit_test.hpp>
#include <codec/noise.hpp>
#include <codec/simd/for_each_target.hpp>
#include <support/guarded.hpp>
#include <support/rounds.hpp>

#include "codec/byte_order.hpp"
#include "codec/shuffle/shuffle.hpp"

using namespace tgmap::codec;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(byte_vectors_test)

namespace {

constexpr std::size_t most_elements = 200;
const bytes& pattern() {
  static const bytes all = noise(21 * most_elements);
  return all;
}

/// Returns elements with reversed bytes.
bytes reversed(const bytes& plain, std::size_t size) {
  bytes out;
  for (std::size_t i = 0; i < plain.size(); i += size)
    out.append(plain.rend() - static_cast<std::ptrdiff_t>(i + size), plain.rend() - static_cast<std::ptrdiff_t>(i));
  return out;
}

unsigned wrongly_shuffled(guarded_bytes& last, std::size_t size, std::size_t n) {
  const bytes plain = pattern().substr(n, size * n);
  bytes wanted(plain.size(), '\0'), out(plain.size() + 2, '#'), back = out;
  shuffle_plain(span_of(plain), size, writable(wanted));
  shuffle(last.hold(plain), size, writable(out).subspan(1, plain.size()));  // unaligned
  unsigned wrong = out != '#' + wanted + '#';
  unshuffle(last.hold(wanted), size, 0, writable(back).subspan(1, plain.size()));
  wrong += back != '#' + plain + '#';
  unshuffle(last.hold(wanted), size, 0, writable(back).subspan(1, plain.size()), byte_sequence::reversed);
  return wrong + (back != '#' + reversed(plain, size) + '#');
}

/// Tests parts close to the ends of vectors.
unsigned wrong_parts(guarded_bytes& last, std::size_t size) {
  constexpr std::size_t n = most_elements;
  const bytes plain = pattern().substr(0, size * n), other_way = reversed(plain, size);
  bytes shuffled(plain.size(), '\0');
  shuffle_plain(span_of(plain), size, writable(shuffled));
  const auto stored = last.hold(shuffled);
  unsigned wrong = 0;
  for (const std::size_t first : {1, 15, 33, 63, 64, 130})
    for (std::size_t count = 0; count <= n - first; count += stride(5)) {
      bytes out(size * count + 1, '#');
      unshuffle(stored, size, first, writable(out).first(size * count));
      wrong += out != plain.substr(size * first, size * count) + '#';
      unshuffle(stored, size, first, writable(out).first(size * count), byte_sequence::reversed);
      wrong += out != other_way.substr(size * first, size * count) + '#';
    }
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_CASE(swapped_bytes) {
  guarded_bytes last(2048);
  for_each_target([&](const char* target) {
    for (const std::size_t unit : {1, 2, 4, 8}) {
      unsigned wrong = 0;
      for (std::size_t n = 0; n <= most_elements; n += stride(3)) {
        const bytes plain = pattern().substr(n, unit * n), wanted = '#' + reversed(plain, unit) + '#';
        bytes out(plain.size() + 2, '#'), in_place = '#' + plain + '#';
        swap_bytes(last.hold(plain), unit, writable(out).subspan(1, plain.size()));
        swap_bytes(writable(in_place).subspan(1, plain.size()), unit);
        wrong += (out != wanted) + (in_place != wanted);
      }
      BOOST_TEST(wrong == 0u, target << ": " << wrong << " of units of " << unit << " bytes");
    }
  });
}

BOOST_AUTO_TEST_CASE(shuffle_round_trip) {
  guarded_bytes last(8192);
  for_each_target([&](const char* target) {
    for (std::size_t size = 1; size <= 20; ++size) {
      unsigned wrong = 0;
      for (std::size_t n = 0; n <= most_elements; n += stride(7)) wrong += wrongly_shuffled(last, size, n);
      BOOST_TEST(wrong == 0u, target << ": " << wrong << " of elements of " << size << " bytes");
    }
  });
}

BOOST_AUTO_TEST_CASE(parts) {
  guarded_bytes last(8192);
  for_each_target([&](const char* target) {
    for (const std::size_t size : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16}) {
      const unsigned wrong = wrong_parts(last, size);
      BOOST_TEST(wrong == 0u, target << ": " << wrong << " parts of elements of " << size << " bytes");
    }
  });
}

BOOST_AUTO_TEST_CASE(arrays_larger_than_the_cache) {
  for (const std::size_t size : {2, 3, 4, 8, 16}) {
    const bytes plain = noise(((std::size_t{4} << 20) / size + 277) * size);
    bytes shuffled(plain.size(), '\0');
    shuffle_plain(span_of(plain), size, writable(shuffled));
    for_each_target([&](const char* target) {
      bytes out(plain.size(), '\0'), back = out;
      shuffle(span_of(plain), size, writable(out));
      BOOST_TEST((out == shuffled), target << ": elements of " << size << " bytes");
      unshuffle(span_of(shuffled), size, 0, writable(back));
      BOOST_TEST((back == plain), target << ": back, elements of " << size << " bytes");
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

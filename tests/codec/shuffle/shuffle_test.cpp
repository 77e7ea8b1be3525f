// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <codec/noise.hpp>
#include <support/guarded.hpp>

#include "codec/shuffle/shuffle.hpp"

using namespace tgmap::codec;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(shuffle_test)

namespace {

/// Shuffles by the definition of the specification: output byte [b*n + e] = input byte [e*size + b].
bytes shuffled(const bytes& plain, std::size_t size) {
  const std::size_t n = plain.size() / size;
  bytes out(plain.size(), '\0');
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t b = 0; b < size; ++b) out[b * n + e] = plain[e * size + b];
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(valid_sizes) {
  BOOST_TEST((can_be_shuffled(0, 1) && can_be_shuffled(12, 4) && can_be_shuffled(0, 7)));
  BOOST_TEST((!can_be_shuffled(0, 0) && !can_be_shuffled(13, 4) && !can_be_shuffled(3, 4)));
  BOOST_TEST((can_be_shuffled(UINT64_MAX, 5) && !can_be_shuffled(UINT64_MAX, 2)));
}

BOOST_AUTO_TEST_CASE(written_out) {
  bytes out(6, '\0');
  unshuffle(span_of("acebdf"), 2, 0, writable(out));
  BOOST_TEST(out == "abcdef");
  unshuffle(span_of("adbecf"), 3, 0, writable(out));
  BOOST_TEST(out == "abcdef");
  unshuffle(span_of("abcdef"), 1, 0, writable(out));
  BOOST_TEST(out == "abcdef");
  unshuffle(span_of("abcdef"), 6, 0, writable(out));
  BOOST_TEST(out == "abcdef");
}

BOOST_AUTO_TEST_CASE(every_size_and_number_of_elements) {
  guarded_bytes last(4096);
  for (std::size_t size = 1; size <= 20; ++size)
    for (std::size_t n : {0, 1, 2, 15, 16, 17, 31, 32, 33, 47, 64, 100}) {
      const bytes plain = noise(size * n, static_cast<unsigned>(n));
      const auto stored = last.hold(shuffled(plain, size));
      bytes out(size * n + 2, '#');
      unshuffle(stored, size, 0, writable(out).subspan(1, size * n));
      BOOST_TEST(out == '#' + plain + '#', n << " elements of " << size << " bytes");

      bytes slowly(size * n, '\0');
      unshuffle_plain(stored, size, 0, writable(slowly));
      BOOST_TEST(slowly == plain, "plainly, " << n << " elements of " << size << " bytes");
    }
}

BOOST_AUTO_TEST_CASE(reversed_bytes) {
  guarded_bytes last(4096);
  for (std::size_t size = 1; size <= 20; ++size)
    for (std::size_t n : {1, 15, 16, 17, 33, 100}) {
      const bytes plain = noise(size * n, static_cast<unsigned>(n));
      bytes wanted = plain;
      for (std::size_t i = 0; i < n; ++i) std::reverse(wanted.data() + i * size, wanted.data() + (i + 1) * size);
      const auto stored = last.hold(shuffled(plain, size));
      bytes out(size * n, '\0'), slowly = out;
      unshuffle(stored, size, 0, writable(out), byte_sequence::reversed);
      BOOST_TEST(out == wanted, n << " elements of " << size << " bytes");
      unshuffle_plain(stored, size, 0, writable(slowly), byte_sequence::reversed);
      BOOST_TEST(slowly == wanted, "plainly, " << n << " elements of " << size << " bytes");
    }
}

BOOST_AUTO_TEST_CASE(every_window) {
  constexpr std::size_t n = 70;
  guarded_bytes last(4096);
  for (const std::size_t size : {1, 2, 3, 4, 5, 6, 7, 8, 16}) {
    const bytes plain = noise(size * n);
    const auto stored = last.hold(shuffled(plain, size));
    unsigned wrong = 0;
    for (std::size_t first = 0; first <= n; ++first)
      for (std::size_t count = 0; count <= n - first; ++count) {
        bytes out(size * count, '\0');
        unshuffle(stored, size, first, writable(out));
        wrong += out != plain.substr(size * first, size * count);
      }
    BOOST_TEST(wrong == 0u, wrong << " windows of elements of " << size << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(large_fields) {
  for (const std::size_t size : {2, 3, 4, 8, 16}) {
    const std::size_t n = (std::size_t{4} << 20) / size + 277;
    const bytes plain = noise(size * n), stored = shuffled(plain, size);
    bytes out(size * (n - 5), '\0');
    unshuffle(span_of(stored), size, 3, writable(out));
    BOOST_TEST((out == std::string_view(plain).substr(size * 3, out.size())), "elements of " << size << " bytes");
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(shuffle_forward_test)

namespace {

bytes shuffled_by_definition(const bytes& plain, std::size_t size) {
  bytes out(plain.size(), '\0');
  const std::size_t n = plain.size() / size;
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t b = 0; b < size; ++b) out[b * n + e] = plain[size * e + b];
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_size_and_length) {
  guarded_bytes last(8192);
  for (std::size_t size = 1; size <= 20; ++size)
    for (std::size_t n = 0; n <= 300; n += n < 70 ? 1 : 23) {
      const bytes plain = noise(size * n, static_cast<unsigned>(n)), wanted = shuffled_by_definition(plain, size);
      for (const auto shuffles : {shuffle, shuffle_plain}) {
        bytes out(plain.size() + 16, '?');
        shuffles(last.hold(plain), size, writable(out).first(plain.size()));
        BOOST_TEST((out == wanted + bytes(16, '?')), n << " elements of " << size << " bytes");
      }
    }
}

BOOST_AUTO_TEST_CASE(round_trip) {
  for (const std::size_t size : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 1000}) {
    const bytes plain = noise(size * 5003);
    bytes there(plain.size(), '\0'), back = there;
    shuffle(span_of(plain), size, writable(there));
    unshuffle(span_of(there), size, 0, writable(back));
    BOOST_TEST((back == plain), "elements of " << size << " bytes");
  }
}

BOOST_AUTO_TEST_SUITE_END()

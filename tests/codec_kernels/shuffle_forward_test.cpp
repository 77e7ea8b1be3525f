// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <codec_kernels/noise.hpp>
#include <support/guarded.hpp>

#include "codec/shuffle.hpp"

using namespace tgmap::codec;
using namespace tgmap_test;

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

BOOST_AUTO_TEST_CASE(there_and_back) {
  for (const std::size_t size : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 1000}) {
    const bytes plain = noise(size * 5003);
    bytes there(plain.size(), '\0'), back = there;
    shuffle(span_of(plain), size, writable(there));
    unshuffle(span_of(there), size, 0, writable(back));
    BOOST_TEST((back == plain), "elements of " << size << " bytes");
  }
}

BOOST_AUTO_TEST_SUITE_END()

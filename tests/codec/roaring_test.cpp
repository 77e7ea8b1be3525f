// SPDX-License-Identifier: Apache-2.0
#include <roaring/roaring.h>

#include "outcome.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(roaring_test)

namespace {

constexpr auto roaring_bits = tgmap::compression::roaring;

bytes compressed(const bytes& packed) {
  roaring_bitmap_t* const bitmap = roaring_bitmap_create();
  for (std::size_t i = 0; i < packed.size() * 8; ++i)
    if (packed[i / 8] >> (7 - i % 8) & 1) roaring_bitmap_add(bitmap, static_cast<std::uint32_t>(i));
  roaring_bitmap_run_optimize(bitmap);
  bytes out(roaring_bitmap_portable_size_in_bytes(bitmap), '\0');
  roaring_bitmap_portable_serialize(bitmap, out.data());
  roaring_bitmap_free(bitmap);
  return big_endian(packed.size() * 8, 4) + out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(containers_of_every_kind) {
  bytes sparse(100000, '\0');
  for (std::size_t i = 0; i < sparse.size(); i += 97) sparse[i] = '\x24';
  for (const auto& packed : {bytes(), bytes(3, '\0'), bytes(100000, '\xff'), noise(100000), sparse,
                             bytes(20000, '\0') + bytes(30000, '\xff') + noise(9000) + sparse}) {
    const auto found = decompress(roaring_bits, compressed(packed), packed.size());
    BOOST_TEST(!found.why);
    BOOST_TEST((found.data == packed));
  }
}

BOOST_AUTO_TEST_CASE(a_number_of_bits_that_is_not_the_outputs) {
  const auto why = decompress(roaring_bits, compressed(noise(10)), 11).why;
  BOOST_TEST((why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(why.expected == 11);
  BOOST_TEST(why.found == 10);
}

BOOST_AUTO_TEST_CASE(members_beyond_the_bits) {
  const auto why = decompress(roaring_bits, compressed(noise(10)).replace(0, 4, big_endian(72, 4)), 9).why;
  BOOST_TEST((why.code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_CASE(hostile) {
  const bytes packed = bytes(30, '\0') + bytes(60, '\xff') + noise(20);
  check_hostile(roaring_bits, compressed(packed), packed);
  bytes runs(9000, '\0');
  runs.replace(100, 50, bytes(50, '\xff')).replace(8500, 300, bytes(300, '\xff'));
  check_hostile(roaring_bits, compressed(runs), runs);
}

BOOST_AUTO_TEST_SUITE_END()

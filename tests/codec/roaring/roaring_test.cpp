// SPDX-License-Identifier: Apache-2.0
#include <roaring/roaring.h>
#include <random>
#include <support/rounds.hpp>

#include <codec/round_trip.hpp>
#include "codec/rle/rle.hpp"
#include "codec/roaring/roaring_format.hpp"

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

BOOST_AUTO_TEST_CASE(wrong_number_of_bits) {
  const auto why = decompress(roaring_bits, compressed(noise(10)), 11).why;
  BOOST_TEST((why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(why.expected == 11);
  BOOST_TEST(why.found == 10);
}

BOOST_AUTO_TEST_CASE(members_beyond_the_bits) {
  const auto why = decompress(roaring_bits, compressed(noise(10)).replace(0, 4, big_endian(72, 4)), 9).why;
  BOOST_TEST((why.code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_CASE(damaged_bitmaps) {
  const bytes packed = bytes(30, '\0') + bytes(60, '\xff') + noise(20);
  check_hostile(roaring_bits, compressed(packed), packed);
  bytes runs(9000, '\0');
  runs.replace(100, 50, bytes(50, '\xff')).replace(8500, 300, bytes(300, '\xff'));
  check_hostile(roaring_bits, compressed(runs), runs);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(written_bits_test)

using namespace tgmap::codec;

namespace {

bool bit(const bytes& packed, std::uint64_t i) { return packed[i / 8] >> (7 - i % 8) & 1; }

/// Returns alternating runs of lengths from 1 to `most`.
bytes runs_of(std::size_t size, unsigned most, unsigned seed) {
  std::mt19937 random(seed);
  bytes out(size, '\0');
  bool value = seed % 2 == 0;
  for (std::uint64_t at = 0; at < size * 8; value = !value) {
    const auto length = std::min<std::uint64_t>(1 + random() % most, size * 8 - at);
    if (value) set_bits(std::as_writable_bytes(std::span(out)), at, length);
    at += length;
  }
  return out;
}

std::vector<bytes> all_sorts() {
  std::vector<bytes> out{
      bytes(1, '\0'),      bytes(1, '\x80'),   bytes(1, '\1'), bytes(8192, '\xff'),
      bytes(8193, '\xff'), bytes(30000, '\0'), noise(30000),   bytes(20000, '\0') + "\1" + bytes(20000, '\0')};
  for (unsigned seed = 0; seed < 40; ++seed)
    for (const unsigned most : {1u, 3u, 20u, 300u, 20000u, 200000u}) out.push_back(runs_of(1 + seed * 997, most, seed));
  for (const unsigned set : {4095u, 4096u, 4097u, 8192u}) {  // close to the limit between array and bitmap
    bytes every_third(8192, '\0');
    for (unsigned i = 0; i < set; ++i)
      set_bits(std::as_writable_bytes(std::span(every_third)), i * (set > 8000 ? 7u : 13u) % 65536, 1);
    out.push_back(every_third);
  }
  return out;
}

bytes by_croaring(const bytes& packed) {
  roaring_bitmap_t* const bitmap = roaring_bitmap_create();
  for (std::uint64_t i = 0; i < packed.size() * 8; ++i)
    if (bit(packed, i)) roaring_bitmap_add(bitmap, static_cast<std::uint32_t>(i));
  roaring_bitmap_run_optimize(bitmap);
  bytes out(roaring_bitmap_portable_size_in_bytes(bitmap), '\0');
  roaring_bitmap_portable_serialize(bitmap, out.data());
  roaring_bitmap_free(bitmap);
  return out;
}

bytes written_roaring(const bytes& packed) {
  bytes out(max_roaring_bytes(packed.size() * 8), 'x');
  out.resize(write_roaring(span_of(packed), std::as_writable_bytes(std::span(out))));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(runs_equal_those_of_a_plain_loop) {
  case_sampler cases(5);
  for (const auto& packed : all_sorts()) {
    if (packed.size() > 3000) continue;
    const std::uint64_t bits = packed.size() * 8;
    for (const std::uint64_t count : {bits, bits - 1, bits - 7})
      for (std::uint64_t from = 0; from < count; from += 1 + from / 50) {
        if (!cases.takes_next()) continue;
        std::uint64_t end = from;
        while (end < count && bit(packed, end) == bit(packed, from)) ++end;
        BOOST_TEST_REQUIRE(end_of_run(span_of(packed), count, from) == end);
      }
  }
}

BOOST_AUTO_TEST_CASE(runs_fit_the_stated_size) {
  for (const auto& packed : all_sorts()) {
    const std::uint64_t bits = packed.size() * 8;
    const auto most = max_run_bytes(span_of(packed), bits);
    bytes runs(most, 'x'), back(packed.size(), 'x');
    runs.resize(write_runs(span_of(packed), bits, std::as_writable_bytes(std::span(runs))));
    std::uint64_t total = 0;
    BOOST_TEST_REQUIRE(read_runs(span_of(runs), bits, std::as_writable_bytes(std::span(back)), total));
    BOOST_TEST((back == packed));
    BOOST_TEST(most <= 2 * runs.size() + bits / 128 + 2);
  }
}

BOOST_AUTO_TEST_CASE(bitmaps_are_those_of_croaring) {
  for (const auto& packed : all_sorts()) BOOST_TEST((written_roaring(packed) == by_croaring(packed)));
}

BOOST_AUTO_TEST_CASE(bitmaps_are_well_formed) {
  for (const auto& packed : all_sorts())
    BOOST_TEST(is_valid_roaring(span_of(written_roaring(packed)), packed.size() * 8));
  BOOST_TEST((written_roaring("") == bytes("\x3a\x30\0\0\0\0\0\0", 8)));
}

BOOST_AUTO_TEST_CASE(bitmap_of_all_bits) {
  // 65536 containers: their number minus one is written in two bytes.
  bytes packed(std::size_t{1} << 29, '\0');
  for (std::size_t key = 0; key < 65536; ++key) packed[key * 8192] = '\xe0';
  packed[8192 * 77] = '\xff';
  const auto written = written_roaring(packed);
  BOOST_TEST(is_valid_roaring(span_of(written), packed.size() * 8));
  roaring_bitmap_t* const bitmap = roaring_bitmap_portable_deserialize_safe(written.data(), written.size());
  BOOST_TEST_REQUIRE(bitmap);
  BOOST_TEST(roaring_bitmap_get_cardinality(bitmap) == 65536 * 3 + 5u);
  BOOST_TEST(roaring_bitmap_contains(bitmap, 77u * 65536 + 7));
  roaring_bitmap_free(bitmap);
}

BOOST_AUTO_TEST_SUITE_END()

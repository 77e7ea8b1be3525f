// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include <codec/round_trip.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(zstd_test)

namespace {

constexpr auto zstd = tgmap::compression::zstd;

/// Compresses as the reference does: without the total size, so that the frame does not state it.
bytes one_frame(const bytes& data, bool tell_size = false) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, tell_size);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  bytes out(ZSTD_compressBound(data.size()), '\0');
  out.resize(ZSTD_compress2(context, out.data(), out.size(), data.data(), data.size()));
  ZSTD_freeCCtx(context);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(frames_with_and_without_a_size) {
  for (const auto& data : {waves(5000), noise(5000), bytes(100000, 'x'), bytes(1, 'y')})
    for (const bool told : {false, true}) check_sound(zstd, one_frame(data, told), data);
}

BOOST_AUTO_TEST_CASE(several_frames_and_skippable_ones_between) {
  const bytes skippable("\x53\x2a\x4d\x18\x03\0\0\0abc", 11);
  check_sound(zstd, one_frame(waves(700)) + skippable + one_frame(noise(50)), waves(700) + noise(50));
}

BOOST_AUTO_TEST_CASE(empty_input_is_a_frame) {
  BOOST_TEST(!decompress(zstd, one_frame(""), 0).why);
  BOOST_TEST((decompress(zstd, "", 0).why.code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_CASE(output_too_small_differs_from_damage) {
  const auto why = decompress(zstd, one_frame(waves(5000)), 4999).why;
  BOOST_TEST((why.code == tgmap::errc::decoded_size_mismatch));
  BOOST_TEST(why.expected == 4999);
  BOOST_TEST(why.found == 5000);
  bytes damaged = one_frame(waves(5000));
  damaged.back() ^= 1;  // in the checksum
  const auto broken = decompress(zstd, damaged, 5000).why;
  BOOST_TEST((broken.code == tgmap::errc::codec_failed));
  BOOST_TEST(broken.found == 22);  // ZSTD_error_checksum_wrong
}

BOOST_AUTO_TEST_CASE(legacy_formats_are_rejected) {
  for (const char first : {0x22, 0x23, 0x24, 0x25, 0x26, 0x27}) {  // versions 0.2 to 0.7
    bytes old = one_frame(waves(100));
    old[0] = first;
    const auto why = decompress(zstd, old, 100).why;
    BOOST_TEST((why.code == tgmap::errc::codec_failed));
    BOOST_TEST(why.found == 10);  // ZSTD_error_prefix_unknown
  }
}

BOOST_AUTO_TEST_CASE(bytes_after_the_frame_are_an_error) {
  BOOST_TEST((decompress(zstd, one_frame(waves(100)) + "behind", 100).why.code == tgmap::errc::codec_failed));
}

namespace {

/// Returns the size of the window that a frame without the size of its content states (RFC 8878, 3.1.1.1.2), or 0.
std::size_t window_of(const bytes& frame) {
  BOOST_TEST_REQUIRE(frame.size() > 6);
  const unsigned descriptor = static_cast<unsigned char>(frame[4]), window = static_cast<unsigned char>(frame[5]);
  return (descriptor & 0xe0) != 0 ? 0 : (std::size_t{8 + (window & 7)} << 7) << (window >> 3);
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_frame_states_the_size_of_its_content) {
  for (const int level : {-5, 1, 3, 4, 5, 12, 22})
    for (const std::size_t size : {1u, 100u, 2700u, 70'000u})
      BOOST_TEST(window_of(compress({.compression = zstd, .zstd_level = level}, waves(size)).data) >= size);
}

BOOST_AUTO_TEST_CASE(up_to_level_4_a_frame_is_a_stream_of_unknown_size) {
  for (const int level : {-5, 1, 3, 4})
    BOOST_TEST(window_of(compress({.compression = zstd, .zstd_level = level}, waves(2700)).data) >= 512U << 10);
}

BOOST_AUTO_TEST_CASE(from_level_5_on_the_window_has_the_size_of_the_input) {
  for (const int level : {5, 9, 15, 19, 22}) {
    BOOST_TEST(window_of(compress({.compression = zstd, .zstd_level = level}, waves(100)).data) == 1024U);
    BOOST_TEST(window_of(compress({.compression = zstd, .zstd_level = level}, waves(2700)).data) == 4096U);
    BOOST_TEST(window_of(compress({.compression = zstd, .zstd_level = level}, waves(65536)).data) == 65536U);
  }
}

BOOST_AUTO_TEST_CASE(damaged_frames) { check_hostile(zstd, one_frame(waves(300) + noise(20)), waves(300) + noise(20)); }

BOOST_AUTO_TEST_SUITE_END()

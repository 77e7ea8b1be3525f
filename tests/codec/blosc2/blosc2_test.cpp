// SPDX-License-Identifier: Apache-2.0
#include <blosc2.h>

#include <limits>

#include <codec/round_trip.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(blosc2_test)

namespace {

constexpr auto blosc2 = tgmap::compression::blosc2;

struct choice {
  int codec = BLOSC_LZ4, level = 5, item_size = 4, filter = BLOSC_SHUFFLE;
  std::size_t chunk_size = 1 << 20;
};

bytes frame_of(const bytes& data, const choice& with) {
  blosc2_init();
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.compcode = static_cast<std::uint8_t>(with.codec);
  cparams.clevel = static_cast<std::uint8_t>(with.level);
  cparams.typesize = with.item_size;
  cparams.filters[BLOSC2_MAX_FILTERS - 1] = static_cast<std::uint8_t>(with.filter);
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.cparams = &cparams;
  storage.contiguous = true;
  blosc2_schunk* const chunks = blosc2_schunk_new(&storage);
  for (std::size_t at = 0; at < data.size(); at += with.chunk_size) {
    const auto part = data.substr(at, with.chunk_size);
    BOOST_TEST_REQUIRE(blosc2_schunk_append_buffer(chunks, part.data(), static_cast<std::int32_t>(part.size())) > 0);
  }
  std::uint8_t* frame = nullptr;
  bool needs_free = false;
  const std::int64_t size = blosc2_schunk_to_buffer(chunks, &frame, &needs_free);
  BOOST_TEST_REQUIRE(size > 0);
  bytes out(reinterpret_cast<const char*>(frame), static_cast<std::size_t>(size));
  if (needs_free) std::free(frame);
  blosc2_schunk_free(chunks);
  return out;
}

bytes repeated(double value, std::size_t count) {
  bytes out;
  for (std::size_t i = 0; i < count; ++i) out += native({value});
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_codec_level_and_filter) {
  for (const int codec : {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_LZ4HC, BLOSC_ZLIB, BLOSC_ZSTD})
    for (const int level : {0, 1, 9})
      for (const int filter : {BLOSC_NOFILTER, BLOSC_SHUFFLE, BLOSC_BITSHUFFLE})
        check_sound(blosc2, frame_of(waves(40000), {.codec = codec, .level = level, .filter = filter}), waves(40000));
}

BOOST_AUTO_TEST_CASE(several_chunks_the_last_short) {
  const bytes data = waves(10000) + noise(10000) + bytes(10000, '\0');
  check_sound(blosc2, frame_of(data, {.chunk_size = 4096}), data);
}

BOOST_AUTO_TEST_CASE(chunks_of_one_value) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& data : {bytes(40000, '\0'), bytes(40000, 'x'), repeated(nan, 5000), repeated(2.5, 5000)})
    for (const std::size_t chunk : {8192u, 1u << 20})
      check_sound(blosc2, frame_of(data, {.item_size = 8, .chunk_size = chunk}), data);
}

BOOST_AUTO_TEST_CASE(small_items) {
  for (const int item : {1, 2, 3, 8, 16}) {
    const bytes data = waves(48 * 7);
    check_sound(blosc2, frame_of(data, {.item_size = item}), data);
  }
}

BOOST_AUTO_TEST_CASE(empty_input_is_no_frame) {
  BOOST_TEST((decompress(blosc2, "", 0).why.code == tgmap::errc::codec_failed));
}

BOOST_AUTO_TEST_CASE(damaged_frames) {
  const bytes data = waves(2000) + noise(100);
  for (const int codec : {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_ZLIB, BLOSC_ZSTD})
    check_hostile(blosc2, frame_of(data, {.codec = codec, .item_size = 2, .chunk_size = 1500}), data);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Round trips through every compressor with every parameter.
#include <support/rounds.hpp>

#include <codec/round_trip.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(compressor_test)

using namespace tgmap;
using tgmap::blosc2_codec;

namespace {

/// Returns true if this build has the codec. Reports a skipped test otherwise.
bool has(compression which) {
  const bool has_codec = codec::find_compressor(which) != nullptr;
  if (!has_codec) BOOST_TEST_MESSAGE("without " << to_string_view(which));
  return has_codec;
}

void check_all_kinds(const pipeline& how, const codec::compression_input& input = {}, bool nothing_too = true) {
  for (const auto& raw : samples_of_all_kinds(input.element_bytes))
    if (nothing_too || !raw.empty()) check_round_trip(how, raw, input);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_decompressor_has_a_compressor) {
  for (const auto& each : codec::decompressors()) {
    const auto* const found = codec::find_compressor(each.which);
    BOOST_TEST((found != nullptr) == each.is_available(), each.name);
    if (found) BOOST_TEST((found->which == each.which));
  }
  BOOST_TEST(!codec::find_compressor(compression::none));
  BOOST_TEST(!codec::find_compressor(compression::other));
}

BOOST_AUTO_TEST_CASE(zstd_at_every_kind_of_level) {
  if (!has(compression::zstd)) return;
  for (const int level : {-131072, -5, 0, 1, 3, 9})
    check_all_kinds({.compression = compression::zstd, .zstd_level = level});
  for (const int level : {19, 22})  // these need much memory
    check_round_trip({.compression = compression::zstd, .zstd_level = level}, waves(10000) + noise(100));
  const bytes large = waves(3'000'000) + noise(500'000);  // larger than a window
  check_round_trip({.compression = compression::zstd}, large);
  check_round_trip({.compression = compression::zstd}, large.substr(0, 128 << 10));
}

BOOST_AUTO_TEST_CASE(zstd_of_empty_input) {
  if (!has(compression::zstd)) return;
  const auto compressed = compress({.compression = compression::zstd}, "");
  BOOST_TEST((compressed.data == bytes("\x28\xb5\x2f\xfd\x20\0\1\0\0", 9)));
}

BOOST_AUTO_TEST_CASE(lz4_with_size_prefix) {
  if (!has(compression::lz4)) return;
  check_all_kinds({.compression = compression::lz4});
  BOOST_TEST((compress({.compression = compression::lz4}, "").data == bytes(5, '\0')));
  BOOST_TEST((compress({.compression = compression::lz4}, noise(1000)).data.substr(0, 4) == bytes("\xe8\3\0\0", 4)));
}

BOOST_AUTO_TEST_CASE(szip_of_every_sample) {
  if (!has(compression::szip)) return;
  for (const unsigned bits : {8u, 16u, 24u, 32u})
    for (const bool packed : {false, true}) {
      if (bits == 24 && !packed) continue;  // no dtype has this width
      for (const std::uint32_t flags : {0u, 8u, 9u})
        for (const auto& [block, rsi] : {std::pair{16u, 128u}, {8u, 1u}, {64u, 300u}})
          check_all_kinds({.compression = compression::szip, .szip = {.rsi = rsi, .block_size = block, .flags = flags}},
                          {.element_bytes = bits / 8, .sample_bits = bits, .packed = packed});
    }
}

BOOST_AUTO_TEST_CASE(szip_of_odd_blocks) {
  if (!has(compression::szip)) return;
  for (const std::uint32_t block : {2u, 6u, 100u, 1024u})
    check_all_kinds({.compression = compression::szip, .szip = {.rsi = 5, .block_size = block, .flags = 64 | 8}},
                    {.element_bytes = 2, .sample_bits = 16});
}

BOOST_AUTO_TEST_CASE(blosc2_with_every_codec) {
  if (!has(compression::blosc2)) return;
  case_sampler cases(7);
  for (const auto codec :
       {blosc2_codec::blosclz, blosc2_codec::lz4, blosc2_codec::lz4hc, blosc2_codec::zlib, blosc2_codec::zstd})
    for (const int level : {0, 5, 9})
      for (const std::size_t element : {1u, 3u, 8u})
        if ((level < 9 || element == 3) && cases.takes_next())  // the highest level takes the longest
          check_all_kinds({.compression = compression::blosc2, .blosc2 = {.codec = codec, .level = level}},
                          {.element_bytes = element}, false);
}

BOOST_AUTO_TEST_CASE(blosc2_with_incomplete_elements) {
  if (!has(compression::blosc2)) return;
  for (const std::size_t size : {1u, 999u, 1001u, 100003u})
    check_round_trip({.compression = compression::blosc2}, waves(size), {.element_bytes = 2});
}

BOOST_AUTO_TEST_CASE(rle_and_roaring_of_bits) {
  for (const auto which : {compression::rle, compression::roaring})
    if (has(which)) check_all_kinds({.compression = which});
}

BOOST_AUTO_TEST_CASE(bit_count_is_that_of_whole_bytes) {
  for (const auto which : {compression::rle, compression::roaring})
    if (has(which)) BOOST_TEST(get(compress({.compression = which}, noise(77)).data, 0, 4) == 77 * 8);
}

BOOST_AUTO_TEST_CASE(empty_input_without_a_stream) {
  for (const auto which : {compression::blosc2, compression::sz3})
    if (has(which)) BOOST_TEST((compress({.compression = which}, "").why.code == errc::bad_combination));
  for (const auto which : {compression::zfp, compression::szip})
    if (has(which)) {
      const auto compressed = compress({.compression = which}, "");
      BOOST_TEST(!compressed.why);
      BOOST_TEST(compressed.data.empty());
      BOOST_TEST(compressed.block_offsets.empty());
    }
}

BOOST_AUTO_TEST_CASE(incomplete_samples) {
  for (const auto which : {compression::zfp, compression::sz3})
    if (has(which)) BOOST_TEST((compress({.compression = which}, noise(15)).why.code == errc::bad_combination));
  if (has(compression::szip))
    BOOST_TEST((compress({.compression = compression::szip}, noise(15), {.sample_bits = 16}).why.code ==
                errc::bad_combination));
  if (has(compression::blosc2))
    for (const std::size_t element : {std::size_t{0}, std::size_t{256}}) {
      const auto why = compress({.compression = compression::blosc2}, noise(512), {.element_bytes = element}).why;
      BOOST_TEST((why.code == errc::bad_parameter));
      BOOST_TEST(why.found == element);
    }
}

BOOST_AUTO_TEST_CASE(input_beyond_the_limits_of_counts) {
  struct limit {
    compression which;
    std::uint64_t most;
  };
  for (const auto& [which, most] :
       {limit{compression::lz4, 0x7e000000}, limit{compression::rle, (std::uint64_t{1} << 29) - 1},
        limit{compression::roaring, (std::uint64_t{1} << 29) - 1}}) {
    const auto* const by = codec::find_compressor(which);
    if (!by) continue;
    const pipeline how{.compression = which};
    core::scratch memory;
    codec::compression_output out;
    const std::byte one{};
    // Rejected before a byte is read.
    const auto why = by->run({.bytes = {&one, static_cast<std::size_t>(most + 1)}, .how = &how}, memory, out);
    BOOST_TEST((why.code == errc::too_large));
    BOOST_TEST(why.expected == most);
    BOOST_TEST(why.found == most + 1);
    BOOST_TEST(memory.size() == 0);
  }
}

BOOST_AUTO_TEST_CASE(memory_is_reused) {
  for (const auto& each : codec::decompressors()) {
    const auto* const by = codec::find_compressor(each.which);
    if (!by) continue;
    const pipeline how{.compression = each.which};
    const bytes raw = waves(80000);
    core::scratch memory;
    codec::compression_output out;
    BOOST_TEST(!by->run({.bytes = span_of(raw), .how = &how}, memory, out));
    const auto kept = memory.size();
    const auto* const at = out.bytes.data();
    BOOST_TEST(!by->run({.bytes = span_of(raw), .how = &how}, memory, out));
    BOOST_TEST(memory.size() == kept);
    BOOST_TEST(out.bytes.data() == at, each.name);
    // Runs of one bit take one byte each.
    const std::size_t times = each.which == compression::rle ? 8 : 2;
    BOOST_TEST(kept <= times * raw.size() + 16384, each.name << " takes " << kept);
  }
}

BOOST_AUTO_TEST_SUITE_END()

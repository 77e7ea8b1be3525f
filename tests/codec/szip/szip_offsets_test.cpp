// SPDX-License-Identifier: Apache-2.0
// Offsets of reference intervals. Each interval can be decoded alone. The offsets are compared with those of the
// reference implementation, which come from libaec.
#include "codec/szip/szip_offsets.hpp"

#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

#include <codec/round_trip.hpp>
#include "codec/szip/szip.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(szip_offsets_test)

using namespace tgmap;
using codec::check_compression;

namespace {

std::size_t interval_of(const codec::szip_parameters& with) {
  return std::size_t{with.rsi} * with.block_size * with.sample_size;
}

/// Returns true if the interval at this bit decodes to these bytes.
bool begins_at(std::uint64_t bit, std::string_view stream, std::string_view expected,
               const codec::codec_parameters& with) {
  bytes moved;
  const unsigned shift = bit % 8;
  const auto at = [&](std::size_t i) { return i < stream.size() ? static_cast<unsigned char>(stream[i]) : 0u; };
  const std::size_t most = std::min(stream.size(), bit / 8 + 2 * expected.size() + 100);
  for (std::size_t i = bit / 8; i < most; ++i) moved += static_cast<char>((at(i) << 8 | at(i + 1)) >> (8 - shift));
  const auto found = decompress(compression::szip, moved, expected.size(), with);
  return !found.why && found.data == expected;
}

void check_offsets(const std::vector<std::uint64_t>& offsets, std::string_view stream, std::string_view raw,
                   const codec::codec_parameters& with) {
  const auto each = interval_of(with.szip);
  BOOST_TEST_REQUIRE(offsets.size() == (raw.size() + each - 1) / each);
  for (std::size_t i = 0; i < offsets.size(); ++i)
    BOOST_TEST(begins_at(offsets[i], stream, raw.substr(i * each, each), with), "interval " << i);
}

struct tally {
  std::size_t same = 0, libaec_wrong = 0;
};

/// Checks for the same bytes, and for the same offsets or right ones if those of the reference are wrong.
void compare_offsets(const object& object, tally& count) {
  const auto descriptor = object.descriptor();
  const auto how = pipeline_of(descriptor);
  const auto facts = compression_input_of(descriptor, how, {});
  if (descriptor.element_count == 0 || codec::check_compression(how, descriptor.dtype, facts.sample_bits)) return;
  const auto with = tgmap_test::parameters_of(how, facts);
  const std::size_t size = descriptor.element_count * facts.sample_bits / 8;
  const bool bits_alone = descriptor.encoding == encoding::simple_packing;
  const auto raw = decompress(compression::szip, view_of(object.payload()),
                              bits_alone ? size : size_bytes(descriptor.dtype, descriptor.element_count).value(), with);
  BOOST_TEST_REQUIRE(!raw.why, raw.why.text());
  const auto made = compress(how, raw.data, facts);
  BOOST_TEST_REQUIRE(!made.why, made.why.text());
  BOOST_TEST((made.data == view_of(object.payload())));

  const auto stored_offsets = descriptor.entries.find("szip_block_offsets");
  BOOST_TEST_REQUIRE(stored_offsets.has_value());
  const auto each = interval_of(with.szip);
  for (std::size_t i = 0; i < made.block_offsets.size(); ++i) {
    const auto theirs = stored_offsets->at(i)->as<std::uint64_t>();
    if (theirs == made.block_offsets[i]) {
      ++count.same;
      continue;
    }
    const auto expected = std::string_view(raw.data).substr(i * each, each);
    BOOST_TEST(begins_at(made.block_offsets[i], made.data, expected, with));
    BOOST_TEST(!begins_at(theirs, made.data, expected, with));
    ++count.libaec_wrong;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(intervals_can_be_decoded_alone) {
  if (!codec::find_compressor(compression::szip)) return;
  for (const unsigned bits : {8u, 16u, 24u, 32u})
    for (const std::uint32_t flags : {0u, 8u, 9u, 64u | 8u})
      for (const auto& [block, rsi] : {std::pair{16u, 4u}, {8u, 1u}, {64u, 2u}, {8u, 100u}}) {
        const pipeline how{.compression = compression::szip, .szip = {.rsi = rsi, .block_size = block, .flags = flags}};
        const codec::compression_input facts{.element_bytes = bits / 8, .sample_bits = bits, .packed = true};
        for (const auto& raw : samples_of_all_kinds(bits / 8)) {
          if (raw.size() > 7000) continue;
          const auto made = compress(how, raw, facts);
          check_offsets(made.block_offsets, made.data, raw, tgmap_test::parameters_of(how, facts));
        }
      }
}

BOOST_AUTO_TEST_CASE(truncated_stream) {
  if (!codec::find_compressor(compression::szip)) return;
  const pipeline how{.compression = compression::szip, .szip = {.rsi = 3, .block_size = 8, .flags = 8}};
  const codec::compression_input facts{.element_bytes = 2, .sample_bits = 16};
  const auto made = compress(how, noise(4000), facts);
  const auto with = tgmap_test::parameters_of(how, facts).szip;
  std::vector<std::uint64_t> found(made.block_offsets.size());
  for (std::size_t size = 0; size <= made.data.size(); ++size) {
    const bool whole = codec::find_szip_offsets(with, span_of(made.data).first(size), found);
    BOOST_TEST(whole == (size * 8 >= made.block_offsets.back()));
    if (whole) BOOST_TEST(found == made.block_offsets);
  }
}

BOOST_AUTO_TEST_CASE(stated_offsets_are_compared_with_the_stream) {
  if (!codec::find_compressor(compression::szip)) return;
  const pipeline how{.compression = compression::szip, .szip = {.rsi = 3, .block_size = 8, .flags = 8}};
  const codec::compression_input facts{.element_bytes = 2, .sample_bits = 16};
  const auto made = compress(how, noise(1000), facts);
  const auto with = tgmap_test::parameters_of(how, facts).szip;
  const std::span<const std::uint64_t> right(made.block_offsets);
  const auto stream = span_of(made.data);
  BOOST_TEST(count_valid_szip_offsets(with, stream, 0, right) == right.size());
  BOOST_TEST(count_valid_szip_offsets(with, stream, 0, {}) == 0u);
  for (std::size_t i = 1; i < right.size(); ++i) {
    // From any interval on, in a piece of the stream that begins there.
    const std::uint64_t origin = right[i] / 8 * 8;
    BOOST_TEST(count_valid_szip_offsets(with, stream.subspan(origin / 8), origin, right.subspan(i)) ==
               right.size() - i);
    for (const int change : {-8, -1, 1, 8}) {
      auto stored_offsets = made.block_offsets;
      stored_offsets[i] += static_cast<std::uint64_t>(change);
      BOOST_TEST(count_valid_szip_offsets(with, stream, 0, stored_offsets) == i);
    }
  }
  const auto blocks = static_cast<std::uint32_t>((1000 - (right.size() - 1) * 48 + 15) / 16);
  BOOST_TEST(last_interval_fits(with, stream, right.back(), blocks));
  BOOST_TEST(!last_interval_fits(with, stream.first(stream.size() - 2), right.back(), blocks));
}

BOOST_AUTO_TEST_CASE(random_bytes) {
  std::size_t taken = 0;
  for (unsigned seed = 0; seed < 300; ++seed)
    for (const unsigned bits : {8u, 16u, 24u, 32u}) {
      const auto junk = noise(seed, seed);
      std::vector<std::uint64_t> found(3);
      const codec::szip_parameters with{
          .rsi = 1 + seed % 5, .block_size = 16, .flags = codec::szip_preprocess, .bits = bits, .sample_size = 4};
      if (!codec::find_szip_offsets(with, span_of(junk), found)) continue;
      BOOST_TEST(std::is_sorted(found.begin(), found.end()));
      BOOST_TEST(found.back() <= junk.size() * 8);
      ++taken;
    }
  BOOST_TEST(taken > 0u);
}

BOOST_AUTO_TEST_CASE(offsets_of_the_reference) {
  if (!codec::find_compressor(compression::szip)) return;
  std::vector directories{test_data()};
  if (const auto shared = shared_data_or_skip("szip of the reference"))
    directories.push_back(*shared / "data/tgm/reference");
  tally count;
  for (const auto& directory : directories)
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      if (!entry.path().filename().string().starts_with("w0.24.0")) continue;
      const archive archive(entry.path(), {.damage = on_damage::skip});
      for (std::uint64_t m = 0; m < archive.size(); ++m)
        for (std::size_t o = 0; o < archive[m].size(); ++o)
          if (archive[m][o].descriptor().compression == compression::szip)
            BOOST_TEST_CONTEXT(entry.path().filename().string() << ":" << m << ":" << o)
      compare_offsets(archive[m][o], count);
    }
  BOOST_TEST_MESSAGE("places of intervals: " << count.same << " as the reference, " << count.libaec_wrong
                                             << " right where the reference's are wrong");
  BOOST_TEST(count.same > 0u);
}

BOOST_AUTO_TEST_SUITE_END()

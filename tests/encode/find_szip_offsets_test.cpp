// SPDX-License-Identifier: Apache-2.0
// Offsets of the intervals of a szip stream, found in the stream alone. They are compared with those that the library
// wrote into the descriptor when it encoded the same stream.
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/failures.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

using tgmap::errc;
using tgmap::failure;
using tgmap::find_szip_offsets;
using tgmap::szip_options;

BOOST_AUTO_TEST_SUITE(find_szip_offsets_test)

namespace {

bool has_szip() { return tgmap::find_codec(tgmap::compression::szip)->is_available; }

/// Returns an archive of one object: integers of `bits` bits that change slowly, with some constant runs and some
/// noise.
std::vector<std::byte> encoded_integers(std::size_t n, unsigned bits, const szip_options& how) {
  std::mt19937 next(bits);
  std::vector<double> elements(n);
  const double most = static_cast<double>((std::uint64_t{1} << bits) - 1);
  double at = most / 2;
  for (std::size_t i = 0; i < n; ++i) {
    if (i / 500 % 3 == 0) at = std::clamp(at + static_cast<double>(next() % 9) - 4, 0.0, most);
    elements[i] = i / 500 % 3 == 2 ? static_cast<double>(next() % (std::uint64_t{1} << bits)) : at;
  }
  tgmap::new_message content;
  auto& object = std::get<tgmap::new_object>(content.objects.emplace_back(tgmap::new_object::of(elements)));
  object.pipeline = {.encoding = tgmap::encoding::simple_packing,
                     .compression = tgmap::compression::szip,
                     .packing = {.bits = bits, .reference = 0.0, .binary_scale = 0},
                     .szip = how};
  return tgmap::to_bytes(content);
}

}  // namespace

BOOST_AUTO_TEST_CASE(same_offsets_as_the_encoder) {
  if (!has_szip()) return;
  constexpr std::size_t n = 20011;
  for (const unsigned bits : {8u, 16u, 24u, 32u})
    for (const auto& how : {szip_options{}, {.rsi = 3, .block_size = 8, .flags = 0}, {.rsi = 100, .block_size = 64}}) {
      const auto bytes = encoded_integers(n, bits, how);
      const auto archive = tgmap::archive::from_memory(bytes);
      const auto object = archive[0][0];
      const auto stored = object.descriptor().entries.find("szip_block_offsets");
      const auto found = find_szip_offsets(object.payload(), n, bits, how);
      BOOST_TEST_REQUIRE(found.size() == (n + how.rsi * how.block_size - 1) / (how.rsi * how.block_size));
      for (std::size_t i = 0; i < found.size(); ++i) BOOST_TEST(found[i] == stored->at(i)->as<std::uint64_t>());
    }
}

BOOST_AUTO_TEST_CASE(cut_streams_are_errors) {
  if (!has_szip()) return;
  const auto bytes = encoded_integers(3000, 16, {});
  const auto archive = tgmap::archive::from_memory(bytes);
  const auto stream = archive[0][0].payload();
  failure why;
  BOOST_TEST(find_szip_offsets(stream, 3000, 16, {}, why).size() == 2u);
  BOOST_TEST(!why);
  for (std::size_t size = 0; size < stream.size(); ++size) {
    BOOST_TEST(find_szip_offsets(stream.first(size), 3000, 16, {}, why).empty());
    BOOST_TEST(why.code == errc::codec_failed);
  }
  BOOST_CHECK_THROW(static_cast<void>(find_szip_offsets(stream.first(9), 3000, 16, {})), tgmap::error);
  // More samples than the stream can hold, without memory for their intervals.
  for (const std::uint64_t samples : {std::uint64_t{4096}, std::uint64_t{1} << 40, UINT64_MAX}) {
    BOOST_TEST(find_szip_offsets(stream, samples, 16, {}, why).empty());
    BOOST_TEST(why.code == errc::codec_failed);
  }
  BOOST_TEST(find_szip_offsets({}, 0, 16, {}, why).empty());
  BOOST_TEST(!why);
}

BOOST_AUTO_TEST_CASE(parameters_that_szip_does_not_take) {
  const std::vector<std::byte> stream(100);
  const auto check = [&](unsigned bits, const szip_options& how, std::uint64_t found) {
    failure why;
    BOOST_TEST(find_szip_offsets(stream, 10, bits, how, why).empty());
    BOOST_TEST(why.code == errc::bad_parameter);
    BOOST_TEST(why.found == found);
  };
  check(0, {}, 0);
  check(33, {}, 33);
  check(16, {.rsi = 0}, 0);
  check(16, {.rsi = 4097}, 4097);
  check(16, {.block_size = 15}, 15);
  check(16, {.block_size = 0, .flags = 64}, 0);
  check(16, {.flags = 8 | 32}, 40);
  check(16, {.flags = 16}, 16);
}

BOOST_AUTO_TEST_SUITE_END()

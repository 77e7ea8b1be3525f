// SPDX-License-Identifier: Apache-2.0
#include "cbor/flat_map_view.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <support/cbor.hpp>

#include "cbor/prescan.hpp"
#include "cbor/walk.hpp"

namespace cb = tgmap::cbor;

BOOST_AUTO_TEST_SUITE(flat_map_views)

namespace {

bool usual(std::string_view bytes, std::uint32_t max_depth = 256) {
  cb::flat_map_view out;
  return cb::read_flat_map(std::as_bytes(std::span(bytes)), max_depth, out);
}

/// Checks that a map that is accepted passes prescan(), and has the same keys and values at the same places as by a
/// cursor.
void agrees(std::string_view text, std::uint32_t max_depth) {
  const auto bytes = std::as_bytes(std::span(text));
  cb::flat_map_view out;
  if (!cb::read_flat_map(bytes, max_depth, out)) return;
  BOOST_TEST_REQUIRE(!cb::prescan(bytes, max_depth, cb::rules::metadata));
  tgmap::cbor_view::cursor at;
  BOOST_TEST_REQUIRE(cb::first(bytes, at));
  for (const auto& each : std::span(out.entries).first(out.count)) {
    BOOST_TEST_REQUIRE(cb::next(at));
    BOOST_TEST_REQUIRE((at.key.get<std::string_view>() == each.key));
    BOOST_TEST_REQUIRE(at.value.bytes_to_end().data() == bytes.data() + each.begin);
    BOOST_TEST_REQUIRE(each.inside > each.begin);
    if (each.value.major == cb::major::map || each.value.major == cb::major::array)
      BOOST_TEST_REQUIRE(at.value.size() == each.value.argument);
  }
  BOOST_TEST_REQUIRE(!cb::next(at));
}

// {"base": [{"mars": {"param": "2t", "step": 12}}], "_extra_": {"x": 1.5, "y": [true, null]}, "k": h'00ff'}
constexpr char sample_bytes[] =
    "\xa3\x64"
    "base\x81\xa1\x64mars\xa2\x65param\x62"
    "2t\x64step\x0c\x67_extra_\xa2\x61x\xf9\x3e\x00\x61y\x82\xf5\xf6\x61k\x42\x00\xff";
const std::string sample(sample_bytes, sizeof sample_bytes - 1);

}  // namespace

BOOST_AUTO_TEST_CASE(common_metadata_takes_the_fast_path) {
  BOOST_TEST(usual(sample));
  BOOST_TEST(usual(std::string("\xa0")));
  BOOST_TEST(usual(sample + "behind"));
}

BOOST_AUTO_TEST_CASE(eight_levels_take_the_fast_path) {
  const auto nested = [](std::size_t levels) {
    return std::string("\xa1\x61k", 3) + std::string(levels - 1, '\x81') + std::string("\x01");
  };
  for (const std::size_t levels : {1, 2, 7, 8}) BOOST_TEST(usual(nested(levels)), levels);
  BOOST_TEST(!usual(nested(9)));
}

BOOST_AUTO_TEST_CASE(other_forms_are_left_to_the_general_reader) {
  using namespace std::string_literals;
  BOOST_TEST(!usual(""s));
  BOOST_TEST(!usual("\x80"s));                    // not a map
  BOOST_TEST(!usual("\xbf\xff"s));                // without a count
  BOOST_TEST(!usual("\xa1\x01\x01"s));            // a key that is not text
  BOOST_TEST(!usual("\xa1\x61k\xc0\x61t"s));      // a tag
  BOOST_TEST(!usual("\xa1\x61k\x9f\xff"s));       // a list without a count
  BOOST_TEST(!usual("\xa1\x61k\x7f\x61t\xff"s));  // text in pieces
  BOOST_TEST(!usual("\xa1\x61k\xe0"s));           // a simple value that metadata may not hold
  BOOST_TEST(!usual("\xa1\x61k\xf8\x20"s));
  BOOST_TEST(!usual("\xa1\x61k\x9a\xff\xff\xff\xff"s));                      // a list longer than the bytes
  BOOST_TEST(!usual("\xa1\x61k\x81\x81\x81\x81\x81\x81\x81\x81\x81\x01"s));  // nested too deep
}

BOOST_AUTO_TEST_CASE(the_depth_limit_counts_the_map_itself) {
  using namespace std::string_literals;
  BOOST_TEST(usual("\xa1\x61k\x80"s, 2));
  BOOST_TEST(!usual("\xa1\x61k\x80"s, 1));
  BOOST_TEST(usual("\xa1\x61k\x01"s, 1));
  BOOST_TEST(!usual("\xa0"s, 0));
}

BOOST_AUTO_TEST_CASE(it_agrees_with_the_general_reader_for_any_value_of_one_byte) {
  for (std::size_t i = 0; i < sample.size(); ++i)
    for (int b = 0; b < 256; ++b) {
      std::string changed = sample;
      changed[i] = static_cast<char>(b);
      for (const std::uint32_t depth : {1u, 2u, 4u, 256u}) agrees(changed, depth);
    }
}

BOOST_AUTO_TEST_CASE(it_agrees_on_truncated_maps) {
  for (std::size_t size = 0; size <= sample.size(); ++size) {
    agrees(sample.substr(0, size), 256);
    if (size < sample.size()) BOOST_TEST(!usual(sample.substr(0, size)));
  }
}

BOOST_AUTO_TEST_CASE(it_agrees_on_random_changes) {
  std::mt19937 random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = sample;
    for (int n = 0; n < 3; ++n) changed[random() % changed.size()] = static_cast<char>(random());
    agrees(changed, 256);
  }
}

BOOST_AUTO_TEST_SUITE_END()

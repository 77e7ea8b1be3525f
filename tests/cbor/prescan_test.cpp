// SPDX-License-Identifier: Apache-2.0
// The check that metadata must pass before anything is read from it.
#include "cbor/prescan.hpp"

#include <boost/test/unit_test.hpp>
#include <support/cbor.hpp>
#include <support/failures.hpp>

using namespace tgmap_test;
using tgmap::errc;
using tgmap::failure;
using tgmap::cbor::max_depth_limit;

BOOST_AUTO_TEST_SUITE(prescan_test)

namespace {

failure scanned(const bytes& data, std::uint32_t depth = 256) {
  return tgmap::cbor::prescan(span_of(data), depth, tgmap::cbor::rules::any);
}
failure scanned_map(const bytes& data, std::uint32_t depth = 256) {
  return tgmap::cbor::prescan(span_of(data), depth, tgmap::cbor::rules::metadata);
}

bytes nested_maps(unsigned depth, const bytes& core) {
  bytes out;
  for (unsigned i = 0; i < depth; ++i)
    out +=
        "\xa1\x61"
        "k";
  return out + core;
}

bytes nested_open(unsigned depth, const bytes& core) { return bytes(depth, '\x9f') + core + bytes(depth, '\xff'); }

}  // namespace

BOOST_AUTO_TEST_CASE(counts_beyond_the_bytes_are_wrong_where_they_stand) {
  for (const bytes cut : {"\x82\x01", "\xa1\x01", "\x84\x01\x02\x03", "\xa2\x01\x02\x03"}) {
    const failure why = scanned("\x81" + cut);
    TGMAP_FAILED(why, errc::bad_cbor);
    BOOST_TEST(why.found == 1u);
    TGMAP_SUCCEEDED(scanned("\x81" + cut + "\x04"));
  }
}

BOOST_AUTO_TEST_CASE(depth_counts_containers_and_ends_at_the_limit) {
  for (const unsigned limit : {0u, 1u, 2u, 100u, 256u, 1024u})
    for (const unsigned depth : {0u, 1u, 2u, 3u, 99u, 100u, 101u, 255u, 256u, 257u, 1023u, 1024u, 1025u})
      for (const bytes& data : {cbor::nested(depth, cbor::integer(1)), nested_maps(depth, cbor::integer(1)),
                                nested_open(depth, cbor::text("x"))}) {
        const failure why = scanned(data, limit);
        if (depth <= limit) {
          BOOST_REQUIRE_MESSAGE(!why, depth << " of " << limit << ": " << why.text());
        } else {
          BOOST_REQUIRE_MESSAGE((why.code == errc::cbor_too_deep), depth << " of " << limit << ": " << why.text());
          BOOST_REQUIRE(why.expected == limit);
        }
      }
}

BOOST_AUTO_TEST_CASE(an_empty_container_is_a_container) {
  for (const bytes& empty : {cbor::array({}), cbor::map({}), cbor::array_until_break({}), cbor::map_until_break({})}) {
    TGMAP_SUCCEEDED(scanned(cbor::nested(255, empty)));
    TGMAP_FAILED(scanned(cbor::nested(256, empty)), errc::cbor_too_deep);
  }
}

BOOST_AUTO_TEST_CASE(max_depth_has_an_upper_bound) {
  TGMAP_SUCCEEDED(scanned(cbor::nested(max_depth_limit, cbor::null()), UINT32_MAX));
  const failure why = scanned(cbor::nested(max_depth_limit + 1, cbor::null()), UINT32_MAX);
  TGMAP_FAILED(why, errc::cbor_too_deep);
  BOOST_TEST(why.expected == max_depth_limit);
}

BOOST_AUTO_TEST_CASE(tags_and_strings_in_pieces_are_not_containers) {
  TGMAP_SUCCEEDED(scanned(cbor::nested(256, bytes(1000, '\xc1') + cbor::integer(1))));
  for (const bytes& pieces : {cbor::text_in_pieces({"a", "b"}), cbor::blob_in_pieces({}), cbor::text_in_pieces({})}) {
    TGMAP_SUCCEEDED(scanned(cbor::nested(256, pieces)));
    TGMAP_SUCCEEDED(scanned(cbor::nested(1023, pieces), 1024));
    TGMAP_SUCCEEDED(scanned(pieces, 0));
  }
}

BOOST_AUTO_TEST_CASE(strings_in_pieces_are_allowed_at_the_deepest_level) {
  TGMAP_SUCCEEDED(scanned(cbor::nested(1024, cbor::text_in_pieces({"a"})), 1024));
}

BOOST_AUTO_TEST_CASE(four_simple_values_are_allowed) {
  for (unsigned value = 0; value < 24; ++value) {
    const bytes data(1, static_cast<char>(0xe0 + value));
    BOOST_TEST(!scanned(data) == (value >= 20), value);
    BOOST_TEST(!scanned(cbor::array({cbor::integer(1), data})) == (value >= 20), value);
  }
  for (unsigned value = 0; value < 256; ++value) TGMAP_FAILED(scanned("\xf8" + big_endian(value, 1)), errc::bad_cbor);
}

BOOST_AUTO_TEST_CASE(a_metadata_frame_is_a_map_with_text_keys) {
  const bytes one = cbor::integer(1);
  for (const bytes& sound :
       {cbor::map({}), cbor::map_until_break({}), cbor::map({cbor::key("a", one), cbor::key("", one)}),
        cbor::map_until_break({cbor::key("a", one)}), cbor::map({{cbor::text_in_pieces({"a", "b"}), one}}),
        cbor::map_until_break({{cbor::text_in_pieces({}), one}, cbor::key("b", cbor::array({one, one}))}),
        cbor::map({cbor::key("a", cbor::map({{one, one}, {cbor::blob("b"), one}})), cbor::key("c", one)})})
    TGMAP_SUCCEEDED(scanned_map(sound));

  for (const bytes& other : {one, cbor::text("a"), cbor::array({}), cbor::null(), cbor::tag(1, cbor::map({})),
                             cbor::blob_in_pieces({}), cbor::array_until_break({cbor::map({})}), bytes()})
    TGMAP_FAILED(scanned_map(other), errc::bad_cbor);

  for (const bytes& key : {one, cbor::negative(0), cbor::blob("a"), cbor::blob_in_pieces({"a"}), cbor::array({}),
                           cbor::array({cbor::text("a")}), cbor::map({}), cbor::null(), cbor::boolean(true),
                           cbor::real(1), cbor::tag(1, cbor::text("a")), cbor::array_until_break({})}) {
    TGMAP_FAILED(scanned_map(cbor::map({{key, one}})), errc::bad_cbor);
    TGMAP_FAILED(scanned_map(cbor::map_until_break({cbor::key("a", one), {key, one}})), errc::bad_cbor);
    TGMAP_FAILED(scanned_map(cbor::map({cbor::key("a", cbor::array({one})), {key, one}})), errc::bad_cbor);
    TGMAP_SUCCEEDED(scanned(cbor::map({{key, one}})));
    TGMAP_SUCCEEDED(scanned_map(cbor::map({cbor::key("a", cbor::map({{key, one}}))})));
  }
}

BOOST_AUTO_TEST_CASE(bytes_after_the_item_are_ignored) {
  for (const bytes& behind : {bytes("\xff"), bytes("\x1c"), bytes("\x9b\xff"), bytes(100, '\0')}) {
    TGMAP_SUCCEEDED(scanned(cbor::integer(1) + behind));
    TGMAP_SUCCEEDED(scanned_map(cbor::map({cbor::key("a", cbor::null())}) + behind));
    TGMAP_SUCCEEDED(scanned_map(cbor::map({}) + behind));
  }
}

BOOST_AUTO_TEST_CASE(a_failure_has_an_offset) {
  const bytes sound = cbor::map({cbor::key("abc", cbor::integer(1))});
  const failure cut = scanned(cbor::array({sound, sound}).substr(0, 1 + sound.size()));
  TGMAP_FAILED(cut, errc::bad_cbor);
  BOOST_TEST(cut.found == 1 + sound.size());
  const failure reserved = scanned(cbor::array({sound, "\x1c"}));
  BOOST_TEST(reserved.found == 1 + sound.size());
  const failure deep = scanned(cbor::nested(300, cbor::null()), 10);
  BOOST_TEST(deep.found == 10u);
}

BOOST_AUTO_TEST_CASE(a_tag_must_be_followed_by_its_item) {
  TGMAP_FAILED(scanned("\xc1"), errc::bad_cbor);
  TGMAP_FAILED(scanned("\x9f\xc1\xff"), errc::bad_cbor);
  TGMAP_FAILED(scanned("\xbf\x61"
                       "a\xc1\xff"),
               errc::bad_cbor);
  TGMAP_FAILED(scanned("\x7f\xc1\x61"
                       "a\xff"),
               errc::bad_cbor);
  TGMAP_SUCCEEDED(scanned("\x9f\xc1\x01\xff"));
}

BOOST_AUTO_TEST_CASE(maps_hold_pairs) {
  TGMAP_FAILED(scanned("\xbf\x01\xff"), errc::bad_cbor);
  TGMAP_FAILED(scanned("\xbf\x01\x02\x03\xff"), errc::bad_cbor);
  TGMAP_FAILED(scanned("\xa1\x01"), errc::bad_cbor);
  TGMAP_SUCCEEDED(scanned("\xbf\x9f\xff\xbf\xff\x01\x02\xff"));
}

BOOST_AUTO_TEST_CASE(untagged_is_anything_without_a_tag) {
  const auto untagged = [](const bytes& data) {
    return tgmap::cbor::prescan(span_of(data), 256, tgmap::cbor::rules::untagged);
  };
  const bytes one = cbor::integer(1), tagged = cbor::tag(1, one);
  for (const bytes& item : {one, cbor::map({}), cbor::map({{one, one}}),
                            cbor::map({cbor::key("a", cbor::array({one, cbor::map({{one, cbor::real(1)}})}))})})
    TGMAP_SUCCEEDED(untagged(item));
  for (const bytes& inside : {tagged, cbor::array({tagged}), cbor::map({cbor::key("b", tagged)}),
                              cbor::map({{tagged, one}}), cbor::array_until_break({one, tagged})}) {
    TGMAP_FAILED(untagged(inside), errc::bad_cbor);
    TGMAP_FAILED(untagged(cbor::map({cbor::key("a", inside)})), errc::bad_cbor);
    TGMAP_SUCCEEDED(scanned_map(cbor::map({cbor::key("a", inside)})));
  }
}

BOOST_AUTO_TEST_CASE(tags_of_every_number_and_form_are_allowed_in_metadata) {
  for (std::uint64_t number = 0; number < 300; ++number) {
    TGMAP_SUCCEEDED(scanned(cbor::tag(number, cbor::integer(1))));
    TGMAP_SUCCEEDED(
        scanned_map(cbor::map({cbor::key("a", cbor::tag(number, cbor::array({cbor::tag(number, cbor::null())})))})));
    for (const unsigned width : {2u, 4u, 8u})
      TGMAP_SUCCEEDED(scanned(cbor::wide_head(6, number, width) + cbor::integer(1)));
  }
  TGMAP_SUCCEEDED(scanned(cbor::tag(UINT64_MAX, cbor::null())));
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// A repeated key is an error in any map. The finding has the path of the key.
#include <boost/test/unit_test.hpp>
#include <support/samples.hpp>
#include <support/shared_data.hpp>

#include "recorded_findings.hpp"

using namespace tgmap_test;
using tgmap::finding_code;

BOOST_AUTO_TEST_SUITE(duplicate_keys)

namespace {

using pairs = std::vector<cbor::pair>;

bytes one() { return cbor::integer(1); }

pairs repeated(const char* name) { return {cbor::key(name, one()), cbor::key(name, one())}; }

message_spec plain_spec(int version = 3) {
  return {.version = version, .objects = {bytes_object("abc"), bytes_object("defgh")}};
}

std::vector<std::string> texts_of(const recorded_findings& found) {
  std::vector<std::string> out;
  for (const auto& message : found.messages)
    for (const auto& each : message.findings)
      if (each.code == finding_code::duplicate_key) {
        BOOST_TEST((each.severity == tgmap::severity::error));
        BOOST_TEST((each.level == tgmap::validation_level::metadata));
        out.push_back(each.text.substr(0, each.text.find(" comes twice, again at byte ")));
      }
  return out;
}

/// Returns the findings about repeated keys in the header metadata of a message.
std::vector<std::string> duplicates_in_metadata(const bytes& metadata) {
  message_spec spec = plain_spec();
  spec.header_metadata = metadata;
  const auto found = check(message(spec));
  BOOST_TEST(found.result.is_sound() == texts_of(found).empty());
  return texts_of(found);
}

using lines = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(at_any_depth_of_metadata) {
  const auto expect_one = [](const bytes& metadata, const char* path) {
    BOOST_TEST(duplicates_in_metadata(metadata) == (lines{"key '" + std::string(path) + "' of the metadata"}),
               boost::test_tools::per_element());
  };
  expect_one(cbor::map(repeated("a")), "a");
  expect_one(cbor::map({cbor::key("_extra_", cbor::map({})), cbor::key("_extra_", cbor::map({}))}), "_extra_");
  expect_one(cbor::map({cbor::key("base", cbor::array({})), cbor::key("base", cbor::array({}))}), "base");
  expect_one(cbor::map({cbor::key("_extra_", cbor::map(repeated("param")))}), "_extra_.param");
  expect_one(cbor::map({cbor::key("_reserved_", cbor::map(repeated("uuid")))}), "_reserved_.uuid");
  expect_one(cbor::map({cbor::key("base", cbor::array({cbor::map({}), cbor::map(repeated("step"))}))}), "base[1].step");
  expect_one(
      cbor::map({cbor::key("_extra_", cbor::map({cbor::key("a", cbor::array({one(), cbor::map(repeated("b"))}))}))}),
      "_extra_.a[1].b");
  expect_one(cbor::map({cbor::key("a", cbor::tag(7, cbor::map(repeated("b"))))}), "a.b");
  expect_one(cbor::map({cbor::key("a", cbor::map({{one(), one()}, {cbor::text("x"), one()}, {one(), one()}}))}), "a.1");
  BOOST_TEST(duplicates_in_metadata(cbor::map({cbor::key("b", one()), cbor::key("a", one())})) == lines{},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(in_any_encoding) {
  for (const bytes& again : {cbor::wide_head(3, 5, 1) + "param", cbor::wide_head(3, 5, 8) + "param",
                             cbor::text_in_pieces({"pa", "ram"}), cbor::text_in_pieces({"", "param", ""})})
    for (const bool first : {true, false}) {
      pairs keys{cbor::key("param", one()), {again, one()}};
      if (first) std::swap(keys[0], keys[1]);
      for (const bytes& map : {cbor::map(keys), cbor::map_until_break(keys)})
        BOOST_TEST(duplicates_in_metadata(map) == lines{"key 'param' of the metadata"},
                   boost::test_tools::per_element());
    }
  const auto are_equal = [](const bytes& a, const bytes& b) {
    return !duplicates_in_metadata(cbor::map({cbor::key("x", cbor::map({{a, one()}, {b, one()}}))})).empty();
  };
  BOOST_TEST(are_equal(cbor::integer(1), cbor::wide_head(0, 1, 4)));
  BOOST_TEST(are_equal(cbor::half(0x3c00), cbor::real(1)));
  BOOST_TEST(are_equal(cbor::blob("ab"), cbor::blob_in_pieces({"a", "b"})));
  BOOST_TEST(are_equal(cbor::null(), cbor::null()));
  BOOST_TEST(are_equal(cbor::array({one()}), cbor::array_until_break({cbor::wide_head(0, 1, 2)})));
  BOOST_TEST(are_equal(cbor::map({cbor::key("a", one())}), cbor::map_until_break({cbor::key("a", one())})));
  BOOST_TEST(are_equal(cbor::tag(3, one()), cbor::tag(3, one())));
  BOOST_TEST(!are_equal(cbor::integer(1), cbor::integer(2)));
  BOOST_TEST(!are_equal(cbor::integer(1), cbor::real(1)));
  BOOST_TEST(!are_equal(cbor::integer(0), cbor::negative(0)));
  BOOST_TEST(!are_equal(cbor::real(1), cbor::real(2)));
  BOOST_TEST(!are_equal(cbor::null(), cbor::boolean(true)));
  BOOST_TEST(!are_equal(cbor::text("ab"), cbor::blob("ab")));
  BOOST_TEST(!are_equal(cbor::array({one()}), cbor::array({one(), one()})));
  BOOST_TEST(!are_equal(cbor::tag(3, one()), cbor::tag(4, one())));
  BOOST_TEST(!are_equal(cbor::tag(3, one()), one()));
}

BOOST_AUTO_TEST_CASE(in_every_frame) {
  for (const int version : {2, 3}) {
    message_spec spec = plain_spec(version);
    spec.objects[1].preceder = cbor::map(repeated("step"));
    BOOST_TEST(texts_of(check(message(spec))) == lines{"key 'base[0].step' of the preceder metadata"},
               boost::test_tools::per_element());

    spec = plain_spec(version);
    spec.objects[1].more = repeated("comment");
    const auto found = check(message(spec));
    BOOST_TEST(texts_of(found) == lines{"key 'comment' of the descriptor"}, boost::test_tools::per_element());
    BOOST_TEST(found.only(finding_code::duplicate_key).object == 1);

    spec = plain_spec(version);
    spec.footer_frames = {{.type = 6, .body = cbor::map(repeated("x"))}, {.type = 5, .body = cbor::map(repeated("y"))}};
    BOOST_TEST(texts_of(check(message(spec))) == (lines{"key 'x' of the index", "key 'y' of the hash frame"}),
               boost::test_tools::per_element());
  }
  message_spec footer = plain_spec();
  footer.writing = writing::streamed;
  footer.footer_metadata = cbor::map(repeated("a"));
  BOOST_TEST(texts_of(check(message(footer))) == lines{"key 'a' of the metadata"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(in_maps_inside_a_descriptor) {
  message_spec spec = plain_spec();
  const bytes mask = cbor::map({cbor::key("length", one()), cbor::key("length", one()),
                                cbor::key("method", cbor::text("none")), cbor::key("offset", cbor::integer(2))});
  spec.objects[0].more = {cbor::key("masks", cbor::map({cbor::key("nan", mask)}))};
  BOOST_TEST(texts_of(check(message(spec))) == lines{"key 'masks.nan.length' of the descriptor"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_is_reported_and_long_names_are_cut) {
  BOOST_TEST(duplicates_in_metadata(cbor::map({cbor::key("b", one()), cbor::key("a", one()), cbor::key("b", one()),
                                               cbor::key("a", one()), cbor::key("a", one())}))
                 .size() == 3u);
  const bytes name(1000, 'x');
  const auto texts =
      duplicates_in_metadata(cbor::map({cbor::key(name, cbor::map({cbor::key(name, one()), cbor::key(name, one())}))}));
  BOOST_TEST_REQUIRE(texts.size() == 1u);
  BOOST_TEST(texts[0].size() < 300u);
  BOOST_TEST(texts[0].find("x….x") != std::string::npos, texts[0]);
}

BOOST_AUTO_TEST_CASE(many_keys_in_any_order) {
  pairs keys;
  for (unsigned n = 0; n < 20'000; ++n) keys.push_back(cbor::key(std::to_string(n * 7919 % 20'011), one()));
  BOOST_TEST(duplicates_in_metadata(cbor::map(keys)).empty());
  keys.push_back(keys[12'345]);
  BOOST_TEST(duplicates_in_metadata(cbor::map(keys)).size() == 1u);
}

BOOST_AUTO_TEST_CASE(offset_of_the_repeated_key) {
  message_spec spec = plain_spec();
  spec.header_metadata = cbor::map({cbor::key("ab", one()), cbor::key("ab", one())});
  const auto found = check(message(spec));
  BOOST_TEST(found.only(finding_code::duplicate_key).text == "key 'ab' of the metadata comes twice, again at byte 5");
  BOOST_TEST(found.only(finding_code::duplicate_key).offset == 24u);
}

BOOST_AUTO_TEST_CASE(shared_samples) {
  const auto shared = shared_data_or_skip("repeated keys");
  if (!shared) return;
  const auto texts_of_file = [&](const char* name) {
    return texts_of(check(tgmap::archive(*shared / "data" / "hostile" / name)));
  };
  BOOST_TEST(texts_of_file("dup_dtype.tgm") == lines{"key 'dtype' of the descriptor"},
             boost::test_tools::per_element());
  BOOST_TEST(texts_of_file("dup_key.tgm") == lines{"key 'base[0].param' of the metadata"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

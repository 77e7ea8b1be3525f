// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <tgmap/tgmap.hpp>
#include <tgmap/tools/caption.hpp>
#include <vector>

namespace {

using tgmap::cbor_value;

/// Returns the caption of an object with these keys.
tgmap::caption caption_for(const cbor_value& keys) {
  const std::vector<float> values{1};
  auto field = tgmap::new_object::of(values, {1});
  field.base = keys;
  tgmap::new_message message;
  message.objects.push_back(std::move(field));
  const auto bytes = tgmap::to_bytes(message);
  const auto from = tgmap::archive::from_memory(bytes);
  return tgmap::caption_of(from[0][0].metadata());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(captions)

BOOST_AUTO_TEST_CASE(names_of_a_field) {
  const cbor_value mars = cbor_value::map({{"param", "2t"}, {"step", 84}, {"levelist", 850}});
  const tgmap::caption both = caption_for(
      cbor_value::map({{"long_name", "2 metre temperature"}, {"units", "K"}, {"mars", mars}, {"date", 20261127}}));
  BOOST_TEST(both.name == "2 metre temperature (2t)");
  BOOST_TEST(both.name_text == "2 metre temperature (2t)");
  BOOST_TEST(both.facts == "date 20261127, step 84, level 850");
  BOOST_TEST(both.unit == "K");
  BOOST_TEST(both.title("f.tgm") == "2 metre temperature (2t), date 20261127, step 84, level 850");
  BOOST_TEST(caption_for(cbor_value::map({{"mars", mars}})).title("f.tgm") == "2t, step 84, level 850");
  BOOST_TEST(caption_for(cbor_value::map({{"name", "t"}, {"standard_name", "t"}})).name == "t");
}

BOOST_AUTO_TEST_CASE(metadata_that_says_nothing) {
  const tgmap::caption none = caption_for(cbor_value::map({{"name", cbor_value::map()}, {"param", ""}}));
  BOOST_TEST(none.name == "");
  BOOST_TEST(none.facts == "");
  BOOST_TEST(none.unit == "");
  BOOST_TEST(none.title("f.tgm:0:0") == "f.tgm:0:0");
}

BOOST_AUTO_TEST_CASE(texts_are_safe_and_short_and_kept_as_stored) {
  const std::string long_text(300, 'x'), control = "a\x1b[31m";
  const tgmap::caption shown = caption_for(cbor_value::map({{"name", long_text}, {"units", control}}));
  BOOST_TEST(shown.name == std::string(120, 'x') + "…");
  BOOST_TEST(shown.name_text == long_text);
  BOOST_TEST(shown.unit == "a\\x1b[31m");
  BOOST_TEST(shown.unit_text == control);
}

BOOST_AUTO_TEST_SUITE_END()

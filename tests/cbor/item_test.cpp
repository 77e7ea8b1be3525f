// SPDX-License-Identifier: Apache-2.0
// Items that a program makes, through the public interface alone.
#include <tgmap/item.hpp>

#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>
#include <support/cbor.hpp>

using namespace tgmap_test;
using tgmap::item;
using tgmap::kind;

BOOST_AUTO_TEST_SUITE(item_test)

namespace {

bytes encoded(const item& of) { return bytes(view_of(of.encoded())); }

}  // namespace

BOOST_AUTO_TEST_CASE(null_is_what_an_item_is_at_first) {
  const item nothing;
  BOOST_TEST(encoded(nothing) == cbor::null());
  BOOST_TEST((nothing.type() == kind::null));
  BOOST_TEST((item(nullptr) == nothing));
  BOOST_TEST((item::copy(tgmap::value()) == nothing));
  BOOST_TEST((item::copy(nothing.view()) == nothing));
  BOOST_TEST(!nothing.empty());
  BOOST_TEST(!nothing.is_map());
}

BOOST_AUTO_TEST_CASE(literals_become_what_they_mean) {
  BOOST_TEST(encoded(item(true)) == cbor::boolean(true));
  BOOST_TEST(encoded(item(false)) == cbor::boolean(false));
  BOOST_TEST(encoded(item(12)) == cbor::integer(12));
  BOOST_TEST(encoded(item(-12)) == cbor::integer(-12));
  BOOST_TEST(encoded(item(12u)) == cbor::integer(12));
  BOOST_TEST(encoded(item(std::int8_t{-128})) == cbor::integer(-128));
  BOOST_TEST(encoded(item(std::uint8_t{255})) == cbor::integer(255));
  BOOST_TEST(encoded(item(std::int64_t{INT64_MIN})) == cbor::integer(INT64_MIN));
  BOOST_TEST(encoded(item(std::uint64_t{UINT64_MAX})) == cbor::unsigned_integer(UINT64_MAX));
  BOOST_TEST(encoded(item::negative(UINT64_MAX)) == cbor::negative(UINT64_MAX));
  BOOST_TEST(encoded(item(0.5)) == cbor::half(0x3800));
  BOOST_TEST(encoded(item(10.0f)) == cbor::half(0x4900));
  BOOST_TEST(encoded(item(0.1f)) == cbor::single(0.1f));
  BOOST_TEST(encoded(item(0.1)) == cbor::real(0.1));
  BOOST_TEST(encoded(item(std::numeric_limits<double>::quiet_NaN())) == cbor::half(0x7e00));
  BOOST_TEST(encoded(item("2t")) == cbor::text("2t"));
  BOOST_TEST(encoded(item(std::string("2t"))) == cbor::text("2t"));
  BOOST_TEST(encoded(item(std::string_view("2t"))) == cbor::text("2t"));
  const char* const pointer = "2t";
  BOOST_TEST(encoded(item(pointer)) == cbor::text("2t"));
  BOOST_TEST(encoded(item::bytes(span_of("\x01\x02"))) == cbor::blob("\x01\x02"));
  BOOST_TEST(encoded(item::tagged(1, 0.5)) == cbor::tag(1, cbor::half(0x3800)));
}

BOOST_AUTO_TEST_CASE(maps_and_arrays_are_written_down_as_they_are_thought_of) {
  const item made = item::map({{"mars", item::map({{"step", 12}, {"param", "2t"}})},
                               {"levels", item::array({500, 850})},
                               {"mixed", item::array({nullptr, true, 1.5, "x", item::map()})}});
  const bytes expected = cbor::map(
      {cbor::key("mars", cbor::map({cbor::key("step", cbor::integer(12)), cbor::key("param", cbor::text("2t"))})),
       cbor::key("mixed",
                 cbor::array({cbor::null(), cbor::boolean(true), cbor::half(0x3e00), cbor::text("x"), cbor::map({})})),
       cbor::key("levels", cbor::numbers({500, 850}))});
  BOOST_TEST(encoded(made) == expected);
  BOOST_TEST(made.is_map());
  BOOST_TEST(made.view().at_path("mars.param")->as<std::string_view>() == "2t");
  BOOST_TEST(made.view().at_path("levels[1]")->as<int64_t>() == 850);
}

BOOST_AUTO_TEST_CASE(containers_may_be_empty) {
  BOOST_TEST(encoded(item::map()) == "\xa0");
  BOOST_TEST(encoded(item::map({})) == "\xa0");
  BOOST_TEST(encoded(item::array({})) == "\x80");
  BOOST_TEST(item::map().empty());
  BOOST_TEST(item::array({}).empty());
  BOOST_TEST(!item::array({0}).empty());
  BOOST_TEST(!item::map({{"", nullptr}}).empty());
  BOOST_TEST(!item("").empty());
  BOOST_TEST(!item(0).empty());
}

BOOST_AUTO_TEST_CASE(of_a_key_that_comes_twice_the_last_value_counts) {
  const item made = item::map({{"a", 1}, {"b", 2}, {"a", 3}, {"a", 4}});
  BOOST_TEST((made == item::map({{"b", 2}, {"a", 4}})));
  BOOST_TEST(made.view().size() == 2u);
}

BOOST_AUTO_TEST_CASE(containers_of_what_a_program_has) {
  const std::vector<std::uint64_t> numbers{0, 23, 24, 1000, UINT64_MAX};
  BOOST_TEST(encoded(item::array(numbers)) == cbor::numbers(numbers));
  std::vector<item> items;
  std::vector<item::pair> pairs;
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("key " + std::to_string(i * 7919 % 300));
  for (const std::string& name : names) {
    items.emplace_back(name);
    pairs.emplace_back(name, name.size());
  }
  const item array = item::array(items), map = item::map(pairs);
  BOOST_TEST(array.view().size() == 300u);
  BOOST_TEST(map.view().size() == 300u);
  bytes previous;
  BOOST_TEST(map.view().visit([&](const tgmap::value& key, const tgmap::value& value) {
    const bytes here(view_of(key.bytes()));
    BOOST_TEST(previous < here);
    BOOST_TEST(value.as<std::uint64_t>() == key.text().size());
    previous = here;
    return true;
  }));
}

BOOST_AUTO_TEST_CASE(equal_items_have_equal_bytes) {
  BOOST_TEST((item(1) == item(1u)));
  BOOST_TEST(!(item(1) == item(1.0)));
  BOOST_TEST((item(0.5) == item(0.5f)));
  BOOST_TEST(!(item(0.0) == item(-0.0)));
  BOOST_TEST((item::map({{"a", 1}, {"b", 2}}) == item::map({{"b", 2}, {"a", 1}})));
  BOOST_TEST(!(item("1") == item(1)));
  item one = "x", other = one;
  other = 5;
  BOOST_TEST((one == item("x")));
}

BOOST_AUTO_TEST_CASE(text_that_is_no_utf8_is_repaired_as_it_is_read) {
  BOOST_TEST(encoded(item("a\xff"
                          "b")) == cbor::text("a\xef\xbf\xbd"
                                              "b"));
  BOOST_TEST(encoded(item::map({{"\xc3", 1}})) == cbor::map({cbor::key("\xef\xbf\xbd", cbor::integer(1))}));
  // Two keys that become one.
  BOOST_TEST(encoded(item::map({{"\xc3", 1}, {"\xff", 2}})) ==
             cbor::map({cbor::key("\xef\xbf\xbd", cbor::integer(2))}));
  BOOST_TEST(encoded(item("grün")) == cbor::text("grün"));
}

BOOST_AUTO_TEST_CASE(what_is_made_without_exceptions_is_the_same) {
  const item elements[] = {1, "two", item::map({{"three", 3.0}})};
  const item::pair pairs[] = {{"b", 1}, {"a", elements[2]}, {"b", 2}, {"\xff", 3}};
  tgmap::failure why{.code = make_error_code(tgmap::errc::bad_cbor)};
  BOOST_TEST((item::array(elements, why) == item::array(elements)));
  BOOST_TEST(!why);
  why.code = make_error_code(tgmap::errc::bad_cbor);
  BOOST_TEST((item::map(pairs, why) == item::map(pairs)));
  BOOST_TEST(!why);
  why.code = make_error_code(tgmap::errc::bad_cbor);
  BOOST_TEST((item::tagged(30, elements[0], why) == item::tagged(30, 1)));
  BOOST_TEST(!why);
}

BOOST_AUTO_TEST_CASE(what_nobody_can_read_back_is_not_made) {
  item nested = 1;
  for (int depth = 0; depth < 256; ++depth) nested = depth % 2 ? item::array({nested}) : item::map({{"a", nested}});
  const auto too_deep = [](const tgmap::error& e) { return e.code() == tgmap::errc::cbor_too_deep; };
  BOOST_CHECK_EXCEPTION(item::array({nested}), tgmap::error, too_deep);
  BOOST_CHECK_EXCEPTION(item::map({{"a", nested}}), tgmap::error, too_deep);
  BOOST_CHECK_EXCEPTION(item::tagged(5, nested), tgmap::error, too_deep);

  const item elements[] = {nested};
  const item::pair pairs[] = {{"a", nested}};
  tgmap::failure why;
  const auto refused = [&](const item& made) {
    return made == item() && why.code == make_error_code(tgmap::errc::cbor_too_deep) && why.expected == 256U;
  };
  BOOST_TEST(refused(item::array(elements, why)));
  BOOST_TEST(refused(item::map(pairs, why)));
  BOOST_TEST(refused(item::tagged(5, nested, why)));

  // Readers count tags, too.
  item tagged = 1;
  for (int depth = 0; depth < 256; ++depth) tagged = item::tagged(5, tagged);
  BOOST_CHECK_EXCEPTION(item::tagged(5, tagged), tgmap::error, too_deep);
  BOOST_CHECK_EXCEPTION(item::array({tagged}), tgmap::error, too_deep);
  BOOST_CHECK_NO_THROW(item::copy(tagged.view()));
}

BOOST_AUTO_TEST_SUITE_END()

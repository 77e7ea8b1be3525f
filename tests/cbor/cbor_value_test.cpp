// SPDX-License-Identifier: Apache-2.0
// Items that a program makes, through the public interface.
#include <tgmap/write/cbor_value.hpp>

#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>
#include <support/cbor.hpp>

using namespace tgmap_test;
using tgmap::cbor_kind;
using tgmap::cbor_value;

BOOST_AUTO_TEST_SUITE(cbor_value_test)

namespace {

bytes encoded(const cbor_value& value) { return bytes(view_of(value.encoded())); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_default_value_is_null) {
  const cbor_value nothing;
  BOOST_TEST(encoded(nothing) == cbor::null());
  BOOST_TEST((nothing.kind() == cbor_kind::null));
  BOOST_TEST((cbor_value(nullptr) == nothing));
  BOOST_TEST((cbor_value::copy(tgmap::cbor_view()) == nothing));
  BOOST_TEST((cbor_value::copy(nothing.view()) == nothing));
  BOOST_TEST(!nothing.empty());
  BOOST_TEST(!nothing.is_map());
}

BOOST_AUTO_TEST_CASE(values_from_literals) {
  BOOST_TEST(encoded(cbor_value(true)) == cbor::boolean(true));
  BOOST_TEST(encoded(cbor_value(false)) == cbor::boolean(false));
  BOOST_TEST(encoded(cbor_value(12)) == cbor::integer(12));
  BOOST_TEST(encoded(cbor_value(-12)) == cbor::integer(-12));
  BOOST_TEST(encoded(cbor_value(12u)) == cbor::integer(12));
  BOOST_TEST(encoded(cbor_value(std::int8_t{-128})) == cbor::integer(-128));
  BOOST_TEST(encoded(cbor_value(std::uint8_t{255})) == cbor::integer(255));
  BOOST_TEST(encoded(cbor_value(std::int64_t{INT64_MIN})) == cbor::integer(INT64_MIN));
  BOOST_TEST(encoded(cbor_value(std::uint64_t{UINT64_MAX})) == cbor::unsigned_integer(UINT64_MAX));
  BOOST_TEST(encoded(cbor_value::negative(UINT64_MAX)) == cbor::negative(UINT64_MAX));
  BOOST_TEST(encoded(cbor_value(0.5)) == cbor::half(0x3800));
  BOOST_TEST(encoded(cbor_value(10.0f)) == cbor::half(0x4900));
  BOOST_TEST(encoded(cbor_value(0.1f)) == cbor::single(0.1f));
  BOOST_TEST(encoded(cbor_value(0.1)) == cbor::real(0.1));
  BOOST_TEST(encoded(cbor_value(std::numeric_limits<double>::quiet_NaN())) == cbor::half(0x7e00));
  BOOST_TEST(encoded(cbor_value("2t")) == cbor::text("2t"));
  BOOST_TEST(encoded(cbor_value(std::string("2t"))) == cbor::text("2t"));
  BOOST_TEST(encoded(cbor_value(std::string_view("2t"))) == cbor::text("2t"));
  const char* const pointer = "2t";
  BOOST_TEST(encoded(cbor_value(pointer)) == cbor::text("2t"));
  BOOST_TEST(encoded(cbor_value::bytes(span_of("\x01\x02"))) == cbor::blob("\x01\x02"));
  BOOST_TEST(encoded(cbor_value::tagged(1, 0.5)) == cbor::tag(1, cbor::half(0x3800)));
}

BOOST_AUTO_TEST_CASE(maps_and_arrays_from_initializer_lists) {
  const cbor_value made = cbor_value::map({{"mars", cbor_value::map({{"step", 12}, {"param", "2t"}})},
                                           {"levels", cbor_value::array({500, 850})},
                                           {"mixed", cbor_value::array({nullptr, true, 1.5, "x", cbor_value::map()})}});
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
  BOOST_TEST(encoded(cbor_value::map()) == "\xa0");
  BOOST_TEST(encoded(cbor_value::map({})) == "\xa0");
  BOOST_TEST(encoded(cbor_value::array({})) == "\x80");
  BOOST_TEST(cbor_value::map().empty());
  BOOST_TEST(cbor_value::array({}).empty());
  BOOST_TEST(!cbor_value::array({0}).empty());
  BOOST_TEST(!cbor_value::map({{"", nullptr}}).empty());
  BOOST_TEST(!cbor_value("").empty());
  BOOST_TEST(!cbor_value(0).empty());
}

BOOST_AUTO_TEST_CASE(the_last_value_of_a_repeated_key_wins) {
  const cbor_value made = cbor_value::map({{"a", 1}, {"b", 2}, {"a", 3}, {"a", 4}});
  BOOST_TEST((made == cbor_value::map({{"b", 2}, {"a", 4}})));
  BOOST_TEST(made.view().size() == 2u);
}

BOOST_AUTO_TEST_CASE(containers_from_standard_types) {
  const std::vector<std::uint64_t> numbers{0, 23, 24, 1000, UINT64_MAX};
  BOOST_TEST(encoded(cbor_value::array(numbers)) == cbor::numbers(numbers));
  std::vector<cbor_value> items;
  std::vector<cbor_value::pair> pairs;
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("key " + std::to_string(i * 7919 % 300));
  for (const std::string& name : names) {
    items.emplace_back(name);
    pairs.emplace_back(name, name.size());
  }
  const cbor_value array = cbor_value::array(items), map = cbor_value::map(pairs);
  BOOST_TEST(array.view().size() == 300u);
  BOOST_TEST(map.view().size() == 300u);
  bytes previous;
  BOOST_TEST(map.view().visit([&](const tgmap::cbor_view& key, const tgmap::cbor_view& value) {
    const bytes encoded_key(view_of(key.bytes()));
    BOOST_TEST(previous < encoded_key);
    BOOST_TEST(value.as<std::uint64_t>() == key.text().size());
    previous = encoded_key;
    return true;
  }));
}

BOOST_AUTO_TEST_CASE(equal_items_have_equal_bytes) {
  BOOST_TEST((cbor_value(1) == cbor_value(1u)));
  BOOST_TEST(!(cbor_value(1) == cbor_value(1.0)));
  BOOST_TEST((cbor_value(0.5) == cbor_value(0.5f)));
  BOOST_TEST(!(cbor_value(0.0) == cbor_value(-0.0)));
  BOOST_TEST((cbor_value::map({{"a", 1}, {"b", 2}}) == cbor_value::map({{"b", 2}, {"a", 1}})));
  BOOST_TEST(!(cbor_value("1") == cbor_value(1)));
  cbor_value value = "x", other = value;
  other = 5;
  BOOST_TEST((value == cbor_value("x")));
}

BOOST_AUTO_TEST_CASE(invalid_utf8_is_repaired) {
  BOOST_TEST(encoded(cbor_value("a\xff"
                                "b")) == cbor::text("a\xef\xbf\xbd"
                                                    "b"));
  BOOST_TEST(encoded(cbor_value::map({{"\xc3", 1}})) == cbor::map({cbor::key("\xef\xbf\xbd", cbor::integer(1))}));
  // Two keys that become the same.
  BOOST_TEST(encoded(cbor_value::map({{"\xc3", 1}, {"\xff", 2}})) ==
             cbor::map({cbor::key("\xef\xbf\xbd", cbor::integer(2))}));
  BOOST_TEST(encoded(cbor_value("grün")) == cbor::text("grün"));
}

BOOST_AUTO_TEST_CASE(values_made_without_exceptions_are_the_same) {
  const cbor_value elements[] = {1, "two", cbor_value::map({{"three", 3.0}})};
  const cbor_value::pair pairs[] = {{"b", 1}, {"a", elements[2]}, {"b", 2}, {"\xff", 3}};
  tgmap::failure why{.code = make_error_code(tgmap::errc::bad_cbor)};
  BOOST_TEST((cbor_value::array(elements, why) == cbor_value::array(elements)));
  BOOST_TEST(!why);
  why.code = make_error_code(tgmap::errc::bad_cbor);
  BOOST_TEST((cbor_value::map(pairs, why) == cbor_value::map(pairs)));
  BOOST_TEST(!why);
  why.code = make_error_code(tgmap::errc::bad_cbor);
  BOOST_TEST((cbor_value::tagged(30, elements[0], why) == cbor_value::tagged(30, 1)));
  BOOST_TEST(!why);
}

BOOST_AUTO_TEST_CASE(values_that_cannot_be_read_back_are_refused) {
  cbor_value nested = 1;
  for (int depth = 0; depth < 256; ++depth)
    nested = depth % 2 ? cbor_value::array({nested}) : cbor_value::map({{"a", nested}});
  const auto too_deep = [](const tgmap::error& e) { return e.code() == tgmap::errc::cbor_too_deep; };
  BOOST_CHECK_EXCEPTION(cbor_value::array({nested}), tgmap::error, too_deep);
  BOOST_CHECK_EXCEPTION(cbor_value::map({{"a", nested}}), tgmap::error, too_deep);
  BOOST_CHECK_EXCEPTION(cbor_value::tagged(5, nested), tgmap::error, too_deep);

  const cbor_value elements[] = {nested};
  const cbor_value::pair pairs[] = {{"a", nested}};
  tgmap::failure why;
  const auto refused = [&](const cbor_value& made) {
    return made == cbor_value() && why.code == make_error_code(tgmap::errc::cbor_too_deep) && why.expected == 256U;
  };
  BOOST_TEST(refused(cbor_value::array(elements, why)));
  BOOST_TEST(refused(cbor_value::map(pairs, why)));
  BOOST_TEST(refused(cbor_value::tagged(5, nested, why)));

  // Readers count tags, too.
  cbor_value tagged = 1;
  for (int depth = 0; depth < 256; ++depth) tagged = cbor_value::tagged(5, tagged);
  BOOST_CHECK_EXCEPTION(cbor_value::tagged(5, tagged), tgmap::error, too_deep);
  BOOST_CHECK_EXCEPTION(cbor_value::array({tagged}), tgmap::error, too_deep);
  BOOST_CHECK_NO_THROW(cbor_value::copy(tagged.view()));
}

BOOST_AUTO_TEST_SUITE_END()

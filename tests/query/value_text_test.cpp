// SPDX-License-Identifier: Apache-2.0
// The text of values: as the reference implementation prints them, or JSON.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <support/selection_samples.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(value_texts)

namespace {

/// Checks the printed text of an item, and that equals() compares with the same text.
void prints(const bytes& item, const std::string& wanted) {
  const bytes data = with_keys({cbor::key("k", item)});
  const auto archive = open(data);
  tgmap::key_lookup scope(archive[0]);
  const auto found = scope.find(tgmap::metadata_key("k"));
  BOOST_TEST_REQUIRE(static_cast<bool>(found));
  BOOST_TEST(found.text() == wanted);
  BOOST_TEST(found.equals(wanted), wanted);
  BOOST_TEST(!found.equals(wanted + "x"), wanted);
  BOOST_TEST(!found.equals("x" + wanted), wanted);
  if (!wanted.empty()) BOOST_TEST(!found.equals(wanted.substr(0, wanted.size() - 1)), wanted);
  std::string line = "before ";
  found.append_to(line);
  BOOST_TEST(line == "before " + wanted);
}

}  // namespace

BOOST_AUTO_TEST_CASE(text_is_unchanged) {
  prints(cbor::text("2t"), "2t");
  prints(cbor::text(""), "");
  prints(cbor::text("a \"b\"\n"), "a \"b\"\n");
  prints(cbor::text("\xc3\xa9"), "\xc3\xa9");
  prints(cbor::text_in_pieces({"in", "", " pieces"}), "in pieces");
}

BOOST_AUTO_TEST_CASE(integers_are_decimal) {
  prints(cbor::integer(0), "0");
  prints(cbor::integer(-1), "-1");
  prints(cbor::integer(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  prints(cbor::unsigned_integer(UINT64_MAX), "18446744073709551615");
  prints(cbor::negative(UINT64_MAX), "-18446744073709551616");
  prints(cbor::negative(std::uint64_t{1} << 63), "-9223372036854775809");
}

BOOST_AUTO_TEST_CASE(floating_numbers_are_short_and_without_an_exponent) {
  prints(cbor::real(1.0), "1");
  prints(cbor::real(-0.0), "-0");
  prints(cbor::real(1.5), "1.5");
  prints(cbor::real(0.1), "0.1");
  prints(cbor::real(1e20), "100000000000000000000");
  prints(cbor::real(1e-7), "0.0000001");
  prints(cbor::half(0x3c00), "1");
  prints(cbor::single(0.1F), "0.10000000149011612");
  prints(cbor::real(std::nan("")), "NaN");
  prints(cbor::real(INFINITY), "inf");
  prints(cbor::real(-INFINITY), "-inf");
  prints(cbor::real(1e300), "1" + std::string(300, '0'));
  prints(cbor::real(std::numeric_limits<double>::max()), "17976931348623157" + std::string(292, '0'));
  prints(cbor::real(-std::numeric_limits<double>::denorm_min()), "-0." + std::string(323, '0') + "5");
  prints(cbor::single(std::numeric_limits<float>::max()), "340282346638528860000000000000000000000");
  prints(cbor::real(123456789.125), "123456789.125");
  prints(cbor::real(9007199254740993.0), "9007199254740992");
}

BOOST_AUTO_TEST_CASE(simple_values) {
  prints(cbor::boolean(true), "true");
  prints(cbor::boolean(false), "false");
  prints(cbor::null(), "null");
}

BOOST_AUTO_TEST_CASE(byte_strings_and_tags) {
  prints(cbor::blob(std::string_view("\xde\xad\x00", 3)), "dead00");
  prints(cbor::blob(""), "");
  prints(cbor::blob_in_pieces({"\x01", "\x02"}), "0102");
  prints(cbor::tag(1, cbor::integer(5)), "5");
  prints(cbor::tag(1, cbor::tag(2, cbor::text("x"))), "x");
}

BOOST_AUTO_TEST_CASE(arrays_and_maps_are_json_without_blanks) {
  prints(cbor::numbers({500, 850}), "[500,850]");
  prints(cbor::array({}), "[]");
  prints(cbor::map({}), "{}");
  prints(cbor::array({cbor::text("a"), cbor::real(1), cbor::null(), cbor::boolean(true), cbor::blob("\x0a")}),
         R"(["a",1,null,true,"0a"])");
  prints(
      cbor::map({cbor::key("b", cbor::numbers({1})), cbor::key("a", cbor::map({cbor::key("c", cbor::integer(-2))}))}),
      R"({"b":[1],"a":{"c":-2}})");
  prints(cbor::array_until_break({cbor::integer(1), cbor::array({})}), "[1,[]]");
}

BOOST_AUTO_TEST_CASE(json_escapes_and_null) {
  prints(cbor::array({cbor::text("\"\\\n\r\t\b\f\x01\x1f")}), R"(["\"\\\n\r\t\b\f\u0001\u001f"])");
  prints(cbor::array({cbor::real(std::nan("")), cbor::real(INFINITY), cbor::real(-INFINITY)}), "[null,null,null]");
  prints(cbor::array({cbor::tag(9, cbor::text("x")), cbor::tag(9, cbor::real(std::nan("")))}), R"(["x",null])");
}

BOOST_AUTO_TEST_CASE(last_of_repeated_keys) {
  const auto pair = [](const char* name, int n) { return cbor::key(name, cbor::integer(n)); };
  prints(cbor::map({pair("a", 1), pair("a", 2)}), R"({"a":2})");
  prints(cbor::map({pair("b", 1), pair("a", 2), pair("b", 3), pair("c", 4)}), R"({"a":2,"b":3,"c":4})");
  prints(cbor::map({pair("a", 1), {cbor::text_in_pieces({"a"}), cbor::integer(2)}}), R"({"a":2})");
  prints(cbor::array({cbor::map_until_break({pair("a", 1), pair("a", 2)})}), R"([{"a":2}])");
  prints(cbor::map({{cbor::integer(1), cbor::text("x")}, {cbor::text("1"), cbor::text("y")}}), R"({"1":"x","1":"y"})");
}

BOOST_AUTO_TEST_CASE(deep_nesting) {
  const unsigned depth = 200;
  prints(cbor::nested(depth, cbor::integer(7)), std::string(depth, '[') + "7" + std::string(depth, ']'));
}

BOOST_AUTO_TEST_CASE(nothing_has_no_text) {
  const tgmap::key_result none;
  BOOST_TEST(!none);
  BOOST_TEST(none.text() == "");
  BOOST_TEST(!none.equals(""));
}

BOOST_AUTO_TEST_SUITE_END()

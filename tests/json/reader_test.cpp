// SPDX-License-Identifier: Apache-2.0
#include "json/reader.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <support/failures.hpp>

using namespace tgmap::json_text;
using tgmap::cbor_value;

namespace tgmap::json_text {

std::ostream& boost_test_print_type(std::ostream& out, read_fault fault) { return out << static_cast<int>(fault); }

}  // namespace tgmap::json_text

BOOST_AUTO_TEST_SUITE(json_reader)

namespace {

cbor_value value_of(std::string_view text) {
  read_error why;
  cbor_value out = read_value(text, why);
  BOOST_TEST(!why, text);
  return out;
}

bool is_refused(std::string_view text) {
  read_error why;
  const cbor_value out = read_value(text, why);
  return why && out == cbor_value();
}

void becomes(std::string_view text, const cbor_value& wanted) { BOOST_TEST((value_of(text) == wanted), text); }

void refused(std::string_view text, read_fault fault, std::size_t line, std::size_t column,
             std::string_view quoted = {}) {
  read_error why;
  read_value(text, why);
  BOOST_TEST(why.fault == fault, text);
  BOOST_TEST(why.quoted == quoted);
  const text_position found = position_of(text, why);
  BOOST_TEST(found.line == line, text);
  BOOST_TEST(found.column == column, text);
}

std::string nested(std::size_t containers) { return std::string(containers, '[') + std::string(containers, ']'); }

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_keep_their_kind) {
  becomes("0", 0);
  becomes("-1", -1);
  becomes("9223372036854775808", std::uint64_t{1} << 63);
  becomes("18446744073709551615", UINT64_MAX);
  becomes("-9223372036854775808", INT64_MIN);
  becomes("1.0", 1.0);
  becomes("1e2", 100.0);
  becomes("-0.0", -0.0);
  becomes("0.1", 0.1);
  BOOST_TEST(value_of("1").kind() == tgmap::cbor_kind::integer);
  BOOST_TEST(value_of("1.0").kind() == tgmap::cbor_kind::floating);
}

BOOST_AUTO_TEST_CASE(everything_else) {
  becomes("null", {});
  becomes(" true ", true);
  becomes("false", false);
  becomes(R"("2t")", "2t");
  becomes(R"("\u00e9\n\"")", "é\n\"");
  becomes("[]", cbor_value::array(std::initializer_list<cbor_value>{}));
  becomes("{}", cbor_value::map());
  becomes(R"([1,[2.5,null],{"a":{}}])",
          cbor_value::array({1, cbor_value::array({2.5, cbor_value()}), cbor_value::map({{"a", cbor_value::map()}})}));
  becomes(R"({"mars":{"param":"2t","step":12},"levels":[500,850],"":true})",
          cbor_value::map({{"mars", cbor_value::map({{"param", "2t"}, {"step", 12}})},
                           {"levels", cbor_value::array({500, 850})},
                           {"", true}}));
}

BOOST_AUTO_TEST_CASE(ambiguous_json_is_refused) {
  refused(R"({"a":1,"b":{"a":2},"a":3})", read_fault::repeated_key, 1, 22, "a");
  refused("18446744073709551616", read_fault::integer_too_large, 1, 20, "18446744073709551616");
  refused("[-9223372036854775809]", read_fault::integer_too_large, 1, 22, "-9223372036854775809");
  refused("1e999", read_fault::number_too_large, 1, 5, "1e999");
}

BOOST_AUTO_TEST_CASE(depth_is_bounded) {
  BOOST_TEST(value_of(nested(64)).kind() == tgmap::cbor_kind::array);
  refused(nested(65), read_fault::too_deep, 1, 65);
  refused(std::string(1000000, '['), read_fault::too_deep, 1, 65);
}

BOOST_AUTO_TEST_CASE(invalid_json_is_refused_with_line_and_column) {
  refused("", read_fault::incomplete, 1, 1);
  refused("{\"a\": 1,\n \"b\" 2}", read_fault::malformed, 2, 6);
  refused("{\n\n  a: 1}", read_fault::malformed, 3, 3);
  refused("{", read_fault::incomplete, 1, 1);
  refused("[1, 2,]", read_fault::malformed, 1, 7);
  refused("1 2", read_fault::malformed, 1, 3);
  for (const char* text :
       {"NaN", "'a'", "[1", "{\"a\":1", "01", "+1", "\"a", "\"\xff\"", "\"\\ud800\"", "// c\n1", "tru"})
    BOOST_TEST(is_refused(text), text);
}

BOOST_AUTO_TEST_CASE(every_cut_is_refused) {
  const std::string text = R"({"a":[1.5,-2,{"b":null}],"c":"text","d":true})";
  BOOST_TEST(value_of(text).is_map());
  for (std::size_t length = 0; length < text.size(); ++length)
    BOOST_TEST(is_refused(std::string_view(text).substr(0, length)), length);
}

namespace {

/// Counts values, and refuses the third.
class third_refuser final : public value_handler {
 public:
  void null() override { count(); }
  void boolean(bool) override { count(); }
  void signed_integer(std::int64_t) override { count(); }
  void unsigned_integer(std::uint64_t) override { count(); }
  void floating(double) override { count(); }
  void text(std::string_view) override { count(); }
  void key(std::string_view) override { count(); }
  void begin(bool) override { count(); }
  void end() override { count(); }
  int values = 0;

 private:
  void count() {
    if (++values == 3) refuse(read_fault::repeated_key, "third");
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_handler_may_refuse_any_value) {
  for (const char* text :
       {"[1,2,3]", R"({"a":{}})", R"({"a":null,"b":0})", "[[[]]]", "[[]]", R"(["\u0061","b"])", "[true,1.5,-1]"}) {
    third_refuser handler;
    const read_error why = read(text, handler, 9);
    BOOST_TEST(why.fault == read_fault::repeated_key, text);
    BOOST_TEST(why.quoted == "third");
    BOOST_TEST(handler.values == 3, text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

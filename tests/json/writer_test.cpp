// SPDX-License-Identifier: Apache-2.0
#include "json/writer.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <limits>
#include <string>

using namespace tgmap::json_text;
using tgmap::core::text_builder;

BOOST_AUTO_TEST_SUITE(json_writer)

namespace {

template <class Write>
std::string text_of(const text_style& how, Write&& write) {
  std::string out;
  text_builder to(out);
  writer json(to, how);
  write(json);
  return out;
}

void write_document(auto& to) {
  to.begin_object();
  to.key("a").begin_array();
  to.integer(std::numeric_limits<std::int64_t>::min());
  to.integer(std::numeric_limits<std::uint64_t>::max());
  to.floating(0.1);
  to.floating(std::numeric_limits<double>::infinity());
  to.end_array();
  to.key("b").begin_object();
  to.end_object();
  to.key("c").begin_array();
  to.begin_array();
  to.end_array();
  to.boolean(true);
  to.raw("[1]");
  to.end_array();
  to.key("\u202e").string("é\n");
  to.end_object();
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_line) {
  BOOST_TEST(text_of({}, [](auto& to) { write_document(to); }) ==
             R"({"a":[-9223372036854775808,18446744073709551615,0.1,null],"b":{},"c":[[],true,[1]],)"
             "\"\u202e\":\"é\\n\"}");
}

BOOST_AUTO_TEST_CASE(indented_lines) {
  text_style how = ascii_style;
  how.is_indented = true;
  BOOST_TEST(text_of(how, [](auto& to) { write_document(to); }) == R"({
  "a": [
    -9223372036854775808,
    18446744073709551615,
    0.1,
    null
  ],
  "b": {},
  "c": [
    [],
    true,
    [1]
  ],
  "\u202e": "\u00e9\n"
})");
}

BOOST_AUTO_TEST_CASE(values_alone_and_deep_nesting) {
  BOOST_TEST(text_of({}, [](auto& to) { to.string("x"); }) == "\"x\"");
  BOOST_TEST(text_of({}, [](auto& to) { to.null(); }) == "null");
  const std::size_t depth = 100'000;
  const auto nest = [&](auto& to) {
    for (std::size_t i = 0; i < depth; ++i) to.begin_array();
    for (std::size_t i = 0; i < depth; ++i) to.end_array();
  };
  BOOST_TEST(text_of({}, nest) == std::string(depth, '[') + std::string(depth, ']'));
}

BOOST_AUTO_TEST_CASE(a_sink_may_want_no_more) {
  struct short_sink {
    std::string text{};
    bool take(std::string_view piece) { return text += piece, text.size() < 4; }
  } sink;
  writer to(sink);
  to.begin_array();
  BOOST_TEST(!to.is_stopped());
  for (int i = 0; i < 9; ++i) to.integer(10);
  BOOST_TEST(to.is_stopped());
  BOOST_TEST(sink.text == "[10,");
}

BOOST_AUTO_TEST_SUITE_END()

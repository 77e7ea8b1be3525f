// SPDX-License-Identifier: Apache-2.0
#include "json/cbor_text.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <support/bytes.hpp>
#include <support/cbor.hpp>
#include <tgmap/write/cbor_value.hpp>

using namespace tgmap_test;
using namespace tgmap::json_text;
using tgmap::cbor_value;
using tgmap::cbor_view;

BOOST_AUTO_TEST_SUITE(cbor_text)

namespace {

std::string text_of(const cbor_view& item, std::uint64_t max_keys = UINT64_MAX, bool is_written = true) {
  std::string out;
  tgmap::core::text_builder text(out);
  writer<> to(text, reference_style);
  memory_limit keys(max_keys);
  BOOST_TEST(put_cbor(to, item, keys) == is_written);
  return out;
}

std::string text_of(const cbor_value& item) { return text_of(item.view()); }
std::string text_of(const bytes& encoded) { return text_of(cbor_view(span_of(encoded))); }

}  // namespace

BOOST_AUTO_TEST_CASE(values_that_json_has) {
  const cbor_value all = cbor_value::array({cbor_value(), true, -1, UINT64_MAX, 1e-6, "a\u202e", cbor_value::map()});
  BOOST_TEST(text_of(all) == R"([null,true,-1,18446744073709551615,1e-6,"a\u202e",{}])");
}

BOOST_AUTO_TEST_CASE(values_that_json_lacks) {
  BOOST_TEST(text_of(cbor_value(std::numeric_limits<double>::infinity())) == "null");
  BOOST_TEST(text_of(cbor_value::negative(UINT64_MAX)) == R"("-18446744073709551616")");
  BOOST_TEST(text_of(cbor_value::tagged(1, cbor_value::tagged(2, 3))) == "3");
  BOOST_TEST(text_of(bytes("\x43\x01\xab\xff")) == R"("01abff")");
}

BOOST_AUTO_TEST_CASE(members_are_sorted_and_the_last_of_equal_names_counts) {
  BOOST_TEST(text_of(bytes("\xa3\x61"
                           "b"
                           "\x01\x61"
                           "a"
                           "\x02\x61"
                           "b"
                           "\x03")) == R"({"a":2,"b":3})");
}

BOOST_AUTO_TEST_CASE(keys_that_are_no_text) {
  BOOST_TEST(text_of(bytes("\xa1\x01\x00", 3)) == R"~({"Integer(Integer(1))":0})~");
  BOOST_TEST(text_of(bytes("\xa1\xf9\x3c\x00\x00", 5)) == R"~({"Float(1.0)":0})~");
  BOOST_TEST(text_of(bytes("\xa1\xf9\x7e\x00\x00", 5)) == R"~({"Float(NaN)":0})~");
  BOOST_TEST(text_of(bytes("\xa1\xf9\xfc\x00\x00", 5)) == R"~({"Float(-inf)":0})~");
  BOOST_TEST(text_of(bytes("\xa1\x82\x61"
                           "a"
                           "\x42\x01\x02\x00",
                           8)) == R"~({"Array([Text(\"a\"), Bytes([1, 2])])":0})~");
  BOOST_TEST(text_of(bytes("\xa1\xc1\xa1\xf5\xf6\x00", 6)) == R"~({"Tag(1, Map([(Bool(true), Null)]))":0})~");
}

BOOST_AUTO_TEST_CASE(depth_and_memory_are_bounded) {
  bytes deep(max_cbor_depth + 9, '\x81');
  deep += '\x00';
  const std::string levels(max_cbor_depth + 1, '[');
  BOOST_TEST(text_of(deep) == levels + "\"...\"" + std::string(levels.size(), ']'));
  const cbor_value map = cbor_value::map({{"a", 1}, {"b", 2}});
  BOOST_TEST(text_of(map.view(), 10, false) == "");
  BOOST_TEST(text_of(map.view(), 1000) == R"({"a":1,"b":2})");
}

BOOST_AUTO_TEST_SUITE_END()

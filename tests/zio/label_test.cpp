// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/label.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <tgmap/zio/frame.hpp>

#include "frames.hpp"

using namespace tgmap;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(label_test)

namespace {

std::string through(const std::string& text) { return zio::write_label(zio::read_label(text)); }

std::error_code fault_of(const std::string& text) {
  failure why;
  zio::read_label(text, why);
  return why.code;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_zio_writes_comes_out_as_it_went_in) {
  for (const std::string text : {"null",
                                 "{}",
                                 "[]",
                                 "true",
                                 "-1",
                                 "0",
                                 "18446744073709551615",
                                 "-9223372036854775808",
                                 "3.0",
                                 "-0.0",
                                 "0.1",
                                 "1e+300",
                                 "5e-324",
                                 "100000000000000.0",
                                 "1e+15",
                                 "0.0001",
                                 "1e-05",
                                 "0.10000000149011612",
                                 R"("µV ☃ \"quoted\" \\ back \n nl \u0001 \u001f / )"
                                 "\x7f\"",
                                 R"({"TENS":{"metadata":{"a":[1,2,[]],"b":{}},"tensors":[]},"abc":1})"})
    BOOST_TEST(through(text) == text);
}

BOOST_AUTO_TEST_CASE(other_spellings_are_read_and_written_as_zio_does) {
  BOOST_TEST(through(R"( { "b" : 1 , "a" : [ 1.50 , "\u00b5\ud83d\ude00\/" ] } )") == "{\"a\":[1.5,\"µ😀/\"],\"b\":1}");
  BOOST_TEST(through(R"({"a":1,"a":{"x":1},"a":2})") == R"({"a":2})");
  BOOST_TEST(through("\xEF\xBB\xBF{\"a\":1}") == R"({"a":1})");
  BOOST_TEST(through(std::string("{\"a\":1}\0", 8)) == R"({"a":1})");
  BOOST_TEST(through("{\"a\":1}\r\n\t ") == R"({"a":1})");
  BOOST_TEST(through("null\n") == "null");
  BOOST_TEST(through("1e5") == "100000.0");
  BOOST_TEST(through("18446744073709551616") == "1.8446744073709552e+19");
  BOOST_TEST((zio::read_label("").kind() == cbor_kind::null));
  // Keys in the order of their bytes, not of their lengths as CBOR has it.
  BOOST_TEST(through(R"({"b":1,"aa":2,"TENS":3})") == R"({"TENS":3,"aa":2,"b":1})");
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_told_with_its_byte) {
  for (const std::string text : {"hello", "{\"a\":1}x", "{\"a\":1,}", "[1,2", "{\"a\":NaN}", "// c\n1", "{'a':1}",
                                 "\"\xff\"", "01", "1e999", "\"\x01\""})
    BOOST_TEST((fault_of(text) == zio::errc::bad_label), text);
  failure why;
  zio::read_label(R"({"a":1,"b":x})", why);
  BOOST_TEST(why.found == 12u);
}

BOOST_AUTO_TEST_CASE(nesting_has_a_limit) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  BOOST_TEST(through(nested(zio::max_label_depth)) == nested(zio::max_label_depth));
  BOOST_TEST((fault_of(nested(zio::max_label_depth + 1)) == zio::errc::label_too_deep));
  BOOST_TEST((fault_of(nested(100000)) == zio::errc::label_too_deep));
}

BOOST_AUTO_TEST_CASE(what_json_does_not_have_is_not_written) {
  const auto refused = [](const cbor_value& one) {
    failure why;
    zio::write_label(one, why);
    return why.code == zio::errc::bad_label;
  };
  BOOST_TEST(refused(cbor_value::bytes({})));
  BOOST_TEST(refused(cbor_value::map({{"a", cbor_value::tagged(1, 2)}})));
  BOOST_TEST(refused(cbor_value::negative(UINT64_MAX)));
  BOOST_TEST(zio::write_label(cbor_value::array({std::nan(""), INFINITY})) == "[null,null]");  // as ZIO does
  BOOST_TEST(zio::write_label(cbor_value::negative(INT64_MAX)) == "-9223372036854775808");
}

BOOST_AUTO_TEST_CASE(labels_of_the_original_are_written_as_it_does) {
  for (const auto& file : shared_frames("tens")) {
    const auto frame = bytes_of_file(file);
    const zio::message m = zio::decode(frame);
    if (m.label.empty() || m.form.text() == "TEXT") continue;
    // The dump of the same parser that ZIO is built on.
    BOOST_TEST(through(m.label) == nlohmann::json::parse(m.label).dump(), file);
  }
}

BOOST_AUTO_TEST_SUITE_END()

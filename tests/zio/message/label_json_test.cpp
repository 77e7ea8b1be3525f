// SPDX-License-Identifier: Apache-2.0
#include "zio/message/label_json.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <tgmap/zio/frame.hpp>
#include <tgmap/zio/label.hpp>

#include "fixtures/frames.hpp"

using namespace tgmap;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(label_json_test)

namespace {

std::string round_trip(const std::string& text) { return zio::write_label(zio::read_label(text)); }

/// Writes down the events of `read_json`.
class event_log final : public json_text::value_handler {
 public:
  void null() override { add("null"); }
  void boolean(bool value) override { add(value ? "true" : "false"); }
  void signed_integer(std::int64_t number) override { add("int " + std::to_string(number)); }
  void unsigned_integer(std::uint64_t number) override { add("uint " + std::to_string(number)); }
  void floating(double number) override { add("float " + nlohmann::json(number).dump()); }
  void text(std::string_view value) override { add("text " + std::string(value)); }
  void key(std::string_view name) override { add("key " + std::string(name)); }
  void begin(bool is_object) override { add(is_object ? "object" : "array"); }
  void end() override { add("end"); }
  std::string events{};

 private:
  void add(const std::string& event) { events += event + "\n"; }
};

/// Passes the events of nlohmann-json alone to a log.
struct nlohmann_log {
  event_log log{};
  bool null() { return log.null(), true; }
  bool boolean(bool value) { return log.boolean(value), true; }
  bool number_integer(std::int64_t n) { return n < 0 ? log.signed_integer(n) : log.unsigned_integer(0), true; }
  bool number_unsigned(std::uint64_t n) { return log.unsigned_integer(n), true; }
  bool number_float(double n, const std::string&) { return log.floating(n), true; }
  bool string(const std::string& value) { return log.text(value), true; }
  bool binary(const std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return log.begin(true), true; }
  bool start_array(std::size_t) { return log.begin(false), true; }
  bool key(const std::string& name) { return log.key(name), true; }
  bool end_object() { return log.end(), true; }
  bool end_array() { return log.end(), true; }
  bool parse_error(std::size_t, const std::string&, const std::exception&) { return false; }
};

std::error_code fault_of(const std::string& text) {
  failure why;
  zio::read_label(text, why);
  return why.code;
}

}  // namespace

BOOST_AUTO_TEST_CASE(labels_of_zio_are_restored) {
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
    BOOST_TEST(round_trip(text) == text);
}

BOOST_AUTO_TEST_CASE(other_formats_are_written_as_zio_does) {
  BOOST_TEST(round_trip(R"( { "b" : 1 , "a" : [ 1.50 , "\u00b5\ud83d\ude00\/" ] } )") ==
             "{\"a\":[1.5,\"µ😀/\"],\"b\":1}");
  BOOST_TEST(round_trip(R"({"a":1,"a":{"x":1},"a":2})") == R"({"a":2})");
  BOOST_TEST(round_trip("\xEF\xBB\xBF{\"a\":1}") == R"({"a":1})");
  BOOST_TEST(round_trip(std::string("{\"a\":1}\0", 8)) == R"({"a":1})");
  BOOST_TEST(round_trip("{\"a\":1}\r\n\t ") == R"({"a":1})");
  BOOST_TEST(round_trip("null\n") == "null");
  BOOST_TEST(round_trip("1e5") == "100000.0");
  BOOST_TEST(round_trip("18446744073709551616") == "1.8446744073709552e+19");
  BOOST_TEST((zio::read_label("").kind() == cbor_kind::null));
  // Keys are in the order of their bytes. CBOR orders them by length first.
  BOOST_TEST(round_trip(R"({"b":1,"aa":2,"TENS":3})") == R"({"TENS":3,"aa":2,"b":1})");
}

BOOST_AUTO_TEST_CASE(invalid_json_is_an_error_with_a_position) {
  for (const std::string text : {"hello", "{\"a\":1}x", "{\"a\":1,}", "[1,2", "{\"a\":NaN}", "// c\n1", "{'a':1}",
                                 "\"\xff\"", "01", "1e999", "\"\x01\""})
    BOOST_TEST((fault_of(text) == zio::errc::bad_label), text);
  failure why;
  zio::read_label(R"({"a":1,"b":x})", why);
  BOOST_TEST(why.found == 12u);
}

BOOST_AUTO_TEST_CASE(nesting_has_a_limit) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  BOOST_TEST(round_trip(nested(zio::max_label_depth)) == nested(zio::max_label_depth));
  BOOST_TEST((fault_of(nested(zio::max_label_depth + 1)) == zio::errc::label_too_deep));
  BOOST_TEST((fault_of(nested(100000)) == zio::errc::label_too_deep));
}

BOOST_AUTO_TEST_CASE(values_that_json_lacks_are_errors) {
  const auto refused = [](const cbor_value& value) {
    failure why;
    zio::write_label(value, why);
    return why.code == zio::errc::bad_label;
  };
  BOOST_TEST(refused(cbor_value::bytes({})));
  BOOST_TEST(refused(cbor_value::map({{"a", cbor_value::tagged(1, 2)}})));
  BOOST_TEST(refused(cbor_value::negative(UINT64_MAX)));
  BOOST_TEST(zio::write_label(cbor_value::array({std::nan(""), INFINITY})) == "[null,null]");  // as ZIO does
  BOOST_TEST(zio::write_label(cbor_value::negative(INT64_MAX)) == "-9223372036854775808");
}

// The fast path reads labels with another library. It must agree with nlohmann-json on every text.
BOOST_AUTO_TEST_CASE(all_parsers_read_the_same) {
  const std::string label =
      R"({"TENS":{"metadata":{"a":[1,-2,0.5,-0,1e300,null,true,"µ"],"µ":""},"tensors":)"
      R"([{"dtype":"f","part":0,"shape":[2,18446744073709551615],"word":4.0,"word":4}]},"flow":"DAT"})";
  const std::string escaped = R"({"k\\":"a\"b\ud83d\ude00","x":[]})";
  std::mt19937 random(7);
  const auto upto = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::string pool = "{}[],:\"\\0123456789.eE+-ntf aZ \xc2\xb5\xff";
  std::size_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = round % 4 == 0 ? escaped : label;
    for (std::size_t changes = upto(3); changes > 0; --changes) {
      const std::size_t at = upto(text.size());
      if (upto(2) == 0)
        text[at] = pool[upto(pool.size())];
      else
        text.erase(at, 1 + upto(4));
    }
    if (text.empty()) continue;
    event_log log;
    const failure why = zio::read_json(text, log);
    nlohmann_log expected;
    const bool is_json = nlohmann::json::sax_parse(text, &expected);
    BOOST_TEST(!why == is_json, text);
    if (!why && is_json) BOOST_TEST(log.events == expected.log.events, text);
    accepted += is_json ? 1U : 0U;
  }
  BOOST_TEST(accepted > 5'000u);
}

BOOST_AUTO_TEST_CASE(recorded_labels_are_written_byte_for_byte) {
  for (const auto& file : shared_frames("tens")) {
    const auto frame = bytes_of_file(file);
    const zio::message m = zio::decode(frame);
    if (m.label.empty() || m.form.text() == "TEXT") continue;
    // ZIO uses the same library.
    BOOST_TEST(round_trip(m.label) == nlohmann::json::parse(m.label).dump(), file);
  }
}

BOOST_AUTO_TEST_SUITE_END()

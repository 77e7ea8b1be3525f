// SPDX-License-Identifier: Apache-2.0
#include "reports/message_json.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

#include "reports/message_frames.hpp"

using namespace tgmap_test;
using tgmap::reports::json;

BOOST_AUTO_TEST_SUITE(message_json)

namespace {

bytes named_message() {
  return message(
      {.objects = {bytes_object("12"), bytes_object("34")},
       .base = {cbor::map({cbor::key("name", cbor::text("a"))}), cbor::map({cbor::key("name", cbor::text("b"))})},
       .extra = {cbor::key("wide", cbor::text("w"))}});
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_document_has_the_keys_of_the_chosen_objects) {
  const bytes data = named_message();
  const auto in = tgmap::archive::from_memory(span_of(data));
  std::string text;
  tgmap::core::text_builder to(text);
  BOOST_TEST(!tgmap::reports::write_message_json(in[0], {1, 2}, std::nullopt, to));
  const json found = json::parse(text);
  BOOST_TEST(found["base"].dump() == R"([{"name":"b"}])");
  BOOST_TEST(found["extra"].dump() == R"({"wide":"w"})");
  BOOST_TEST(found["objects"][0]["shape"].dump() == "[2]");
  BOOST_TEST(found["version"] == 3);
  BOOST_TEST(text.ends_with("}\n"));
}

BOOST_AUTO_TEST_CASE(nothing_is_written_beyond_the_limit) {
  const bytes data = named_message();
  const auto in = tgmap::archive::from_memory(span_of(data));
  std::string text;
  tgmap::core::text_builder to(text);
  const auto exceeded = tgmap::reports::write_message_json(in[0], {0, 2}, 30, to);
  BOOST_REQUIRE(exceeded.has_value());
  BOOST_TEST(exceeded->max_bytes == 30U);
  BOOST_TEST(exceeded->input < data.size());
  BOOST_TEST(text.size() <= 30U);
  text.clear();
  BOOST_TEST(tgmap::reports::write_frames_json("f.tgm", in[0], std::nullopt, 10, to).has_value());
  BOOST_TEST(text.size() <= 10U);
}

BOOST_AUTO_TEST_CASE(a_frame_has_a_line) {
  const bytes data = named_message();
  const auto in = tgmap::archive::from_memory(span_of(data));
  std::string text;
  tgmap::core::text_builder to(text);
  BOOST_TEST(!tgmap::reports::write_frames_json("a\xff", in[0], 1, std::nullopt, to));
  const json line = json::parse(text);
  BOOST_TEST(line["object"] == 1);
  BOOST_TEST(line["payload_length"] == 2);
  BOOST_TEST(line["file_hex"] == "61ff");
  BOOST_TEST(line["type_name"] == "data object");
}

BOOST_AUTO_TEST_CASE(frames_are_visited_until_one_is_enough) {
  const bytes data = named_message();
  const auto in = tgmap::archive::from_memory(span_of(data));
  std::size_t all = 0, objects = 0;
  tgmap::reports::for_each_frame(in[0], std::nullopt, [&](std::size_t, const tgmap::reports::frame_content& each) {
    objects += each.object ? 1 : 0;
    BOOST_TEST(each.problem == "");
    return ++all, true;
  });
  BOOST_TEST(objects == 2U);
  BOOST_TEST(all > objects);
  all = 0;
  tgmap::reports::for_each_frame(in[0], std::nullopt, [&](std::size_t, const auto&) { return ++all, false; });
  BOOST_TEST(all == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

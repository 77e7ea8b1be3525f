// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(info)

BOOST_AUTO_TEST_CASE(the_lines_of_the_reference_come_first) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", two_objects()).string();
  const outcome seen = run({"info", path});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.err == "");
  BOOST_TEST(seen.out == "File: " + path + "\n  Messages: 1\n  Size: " + std::to_string(two_objects().size()) +
                             " bytes\n  Version: 3\n\n");
}

BOOST_AUTO_TEST_CASE(a_blank_line_ends_each_file) {
  const temporary_directory files;
  const auto a = files.file("a.tgm", forecast()).string(), b = files.file("b.tgm", "").string();
  const outcome seen = run({"info", a, b});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out == "File: " + a + "\n  Messages: 3\n  Size: " + std::to_string(forecast().size()) +
                             " bytes\n  Version: 3\n\n"
                             "File: " +
                             b + "\n  Messages: 0\n  Size: 0 bytes\n\n");
}

BOOST_AUTO_TEST_CASE(version_is_that_of_the_first_message) {
  const temporary_directory files;
  const outcome seen = run({"info", files.file("f.tgm", old_message() + two_objects()).string()});
  BOOST_TEST(seen.out.find("  Version: 2\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(json_has_every_member) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const outcome seen = run({"info", "--json", path});
  BOOST_TEST(seen.status == 0);
  const auto lines = json_lines(seen.out);
  BOOST_TEST_REQUIRE(lines.size() == 1u);
  const auto& found = lines[0];
  BOOST_TEST(found["file"] == path);
  BOOST_TEST(found["size"] == forecast().size());
  BOOST_TEST(found["messages"] == 3);
  BOOST_TEST(found["objects"] == 4);
  BOOST_TEST(found["versions"] == nlohmann::json({{"2", 1}, {"3", 2}}));
  BOOST_TEST(found["version_1"] == 0);
  BOOST_TEST(found["streamed"] == 1);
  BOOST_TEST(found["incomplete"] == 0);
  BOOST_TEST(found["gaps"] == nlohmann::json::array());
  BOOST_TEST(found["incomplete_tail"].is_null());
  BOOST_TEST(found["errors"] == nlohmann::json::array());
  BOOST_TEST(found["io_mode"].is_string());
  BOOST_TEST(!found["io_reason"].get<std::string>().empty());
  BOOST_TEST(found["elapsed_ms"].get<double>() >= 0);
}

BOOST_AUTO_TEST_CASE(json_is_one_line_a_file) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const auto lines = json_lines(run({"info", "-j", path, path, path}).out);
  BOOST_TEST(lines.size() == 3u);
}

BOOST_AUTO_TEST_CASE(io_is_as_asked_for_before_and_after_the_verb) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  for (const char* mode : {"map", "read"}) {
    BOOST_TEST(json_lines(run({"info", "-j", "--io", mode, path}).out).at(0)["io_mode"] == mode);
    BOOST_TEST(json_lines(run({"--io", mode, "info", "-j", path}).out).at(0)["io_mode"] == mode);
  }
  BOOST_TEST(run({"info", "--io", "automatic", path}).status == 0);
}

BOOST_AUTO_TEST_CASE(version_1_is_said_and_no_error) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", version_1_message({"abc"}) + two_objects()).string();
  const outcome text = run({"info", path});
  BOOST_TEST(text.status == 0);
  BOOST_TEST(text.err == "");
  BOOST_TEST(text.out.find("  Messages: 2\n") != std::string::npos);
  BOOST_TEST(text.out.find("  Not readable: 1 (version_1)\n") != std::string::npos);
  const auto found = json_lines(run({"info", "-j", path}).out).at(0);
  BOOST_TEST(found["version_1"] == 1);
  BOOST_TEST(found["versions"] == nlohmann::json({{"1", 1}, {"3", 1}}));
}

BOOST_AUTO_TEST_CASE(a_message_whose_objects_cannot_be_counted_is_an_error_and_the_rest_is_counted) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", two_objects() + lying_message() + old_message()).string();
  const outcome seen = run({"info", "-j", path});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.starts_with("tgmap: " + path + ":1: "), seen.err);
  BOOST_TEST(seen.err.find("; run `tgmap validate " + path + "`") != std::string::npos);
  const auto found = json_lines(seen.out).at(0);
  BOOST_TEST(found["messages"] == 3);
  BOOST_TEST(found["objects"] == 3);
  BOOST_TEST_REQUIRE(found["errors"].size() == 1u);
  BOOST_TEST(found["errors"][0]["message"] == 1);
}

BOOST_AUTO_TEST_CASE(many_such_messages_do_not_flood_the_terminal) {
  const temporary_directory files;
  bytes data;
  for (int i = 0; i < 25; ++i) data += lying_message();
  const outcome seen = run({"info", files.file("f.tgm", data).string()});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(std::count(seen.err.begin(), seen.err.end(), '\n') == 11);
  BOOST_TEST(seen.err.find("15 more messages cannot be read; run `tgmap ls ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(one_message_is_nothing_for_info) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", two_objects()).string();
  const outcome seen = run({"info", path + ":0"});
  BOOST_TEST(seen.status == 2);
  BOOST_TEST(seen.out == "");
  BOOST_TEST(seen.err.find("info takes whole files") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(codecs_when_they_are_asked_for) {
  const temporary_directory directory;
  const auto path = directory.file("all.tgm", two_objects() + packed_message()).string();
  BOOST_TEST(!json_lines(run({"info", "-j", path}).out).at(0).contains("codecs"));
  const auto found = json_lines(run({"info", "-j", "--codecs", path}).out).at(0);
  BOOST_TEST(found["codecs"]["none"]["count"] == 2);
  BOOST_TEST(found["codecs"]["shuffle+zstd"]["bytes"] == 17);
  BOOST_TEST(found["codecs"]["shuffle+zstd"]["decoded_bytes"] == 15);
  BOOST_TEST(found["decoded"]["decoded_bytes"] == 43);
  const std::string text = run({"info", "--codecs", path}).out;
  BOOST_TEST(
      text.find("  Codec: shuffle+zstd: 1 object, 17 bytes stored, 15 decoded, ratio 0.88\n") != std::string::npos,
      text);
  BOOST_TEST(text.find("  Decoded: 3 objects, 45 bytes stored, 43 decoded, ratio 0.96\n") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(unreadable_codecs_are_errors) {
  const temporary_directory files;
  object_spec odd = bytes_object("abcd");
  odd.descriptor = cbor::map({cbor::key("type", cbor::text("ntensor"))});
  const auto path = files.file("f.tgm", message({.objects = {odd, bytes_object("efgh")}})).string();
  BOOST_TEST(run({"info", path}).status == 0);
  const outcome seen = run({"info", "--codecs", path});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out.find("unreadable: 1 object, 4 bytes stored, decoded unknown") != std::string::npos, seen.out);
  BOOST_TEST(seen.err.find("a required key of the descriptor") != std::string::npos, seen.err);
  const outcome told = run({"info", "--codecs", "--json", path});
  BOOST_TEST(told.status == 1);
  BOOST_TEST(json_lines(told.out)[0]["errors"].size() == 1u);
}

namespace {

/// Returns a message with one object and these keys.
bytes keyed(std::vector<cbor::pair> keys, object_spec object = bytes_object("abcd")) {
  return message({.objects = {std::move(object)}, .base = {cbor::map(std::move(keys))}});
}

bytes steps(int count) {
  bytes out;
  for (int i = 0; i < count; ++i)
    out += keyed({cbor::key("step", cbor::integer(6 * i)),
                  cbor::key("param", cbor::text(std::array{"2t", "10u", "10v"}[static_cast<std::size_t>(i) % 3]))});
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_page_has_keys_with_their_values) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", steps(41)).string();
  const outcome seen = run({"info", "--long", path});
  BOOST_TEST(seen.out.find("  keys      param      3  2t, 10u, 10v\n"
                           "            step      41  0 .. 240 by 6\n"
                           "  dtypes    uint8 (41)\n"
                           "  shapes    [4] (41)\n"
                           "  codecs    none (41)\n"
                           "  access") != seen.out.npos,
             seen.out);
  BOOST_TEST(run({"info", path}).out.find("param") == seen.out.npos);  // scripts get the lines of the reference
}

BOOST_AUTO_TEST_CASE(json_has_keys_with_their_values) {
  const temporary_directory files;
  const auto content = json_lines(run({"info", "-j", files.file("f.tgm", steps(4)).string()}).out).at(0)["content"];
  BOOST_TEST(content == nlohmann::json::parse(R"({"is_sample":false,"messages":4,"objects":4,"keys":[
    {"key":"param","objects":4,"distinct":3,"values":["2t","10u","10v"]},
    {"key":"step","objects":4,"distinct":4,"values":["0","6","12","18"],"first":0,"last":18,"step":6}],
    "dtypes":{"uint8":4},"shapes":{"[4]":4},"codecs":{"none":4}})"));
}

BOOST_AUTO_TEST_CASE(steps_that_differ_have_no_step_and_texts_no_range) {
  const temporary_directory files;
  bytes data;
  for (const int step : {0, 3, 9})
    data += keyed({cbor::key("number", cbor::integer(step)), cbor::key("id", cbor::text(std::to_string(step))),
                   cbor::key("list", cbor::array({cbor::integer(step), cbor::integer(1)}))});
  const auto keys = json_lines(run({"info", "-j", files.file("f.tgm", data).string()}).out).at(0)["content"]["keys"];
  const std::string page = run({"info", "--long", (files / "f.tgm").string()}).out;
  BOOST_TEST(page.find("  keys      number      3  0, 3, 9\n") != page.npos, page);
  BOOST_TEST_REQUIRE(keys.size() == 3u);
  BOOST_TEST(keys[0]["key"] == "number");
  BOOST_TEST(keys[0]["step"].is_null());
  BOOST_TEST(keys[1]["key"] == "id");
  BOOST_TEST(!keys[1].contains("first"));
  BOOST_TEST(keys[2]["values"] == nlohmann::json({"[2 values]"}));
}

BOOST_AUTO_TEST_CASE(a_large_archive_is_sampled_and_the_sample_is_called_one) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", steps(3000)).string();
  const auto content = json_lines(run({"info", "-j", path}).out).at(0)["content"];
  BOOST_TEST(content["is_sample"] == true);
  BOOST_TEST(content["messages"] == 1000);
  BOOST_TEST(content["keys"][0]["distinct"] == 3);  // every third message has the same parameter
  BOOST_TEST(run({"info", "--long", path})
                 .out.find("  sample    keys, dtypes, shapes and codecs are of 1000 objects in 1000 messages\n") !=
             bytes::npos);
  const auto whole = json_lines(run({"info", "-j", files.file("g.tgm", steps(1000)).string()}).out).at(0)["content"];
  BOOST_TEST(whole["is_sample"] == false);
}

BOOST_AUTO_TEST_CASE(objects_of_one_message_are_sampled_too) {
  const temporary_directory files;
  message_spec many;
  for (int i = 0; i < 10'500; ++i) {
    many.objects.push_back(bytes_object("a"));
    many.base.push_back(cbor::map({cbor::key("name", cbor::text(i % 2 == 0 ? "even" : "odd"))}));
  }
  const auto path = files.file("f.tgm", message(many)).string();
  const auto content = json_lines(run({"info", "-j", path}).out).at(0)["content"];
  BOOST_TEST(content["is_sample"] == true);
  BOOST_TEST(content["objects"].get<int>() <= 10'000);
  BOOST_TEST(content["objects"].get<int>() >= 5'000);
  BOOST_TEST(content["keys"][0]["distinct"] == 2);
}

BOOST_AUTO_TEST_CASE(keys_that_take_too_much_memory_make_a_sample) {
  const temporary_directory files;
  bytes data;
  for (int i = 0; i < 20; ++i)
    data += keyed({cbor::key("text", cbor::text(bytes(1 << 20, static_cast<char>('a' + i))))});
  const auto content = json_lines(run({"info", "-j", files.file("f.tgm", data).string()}).out).at(0)["content"];
  BOOST_TEST(content["is_sample"] == true);
  BOOST_TEST(content["objects"] == 20);
  BOOST_TEST(content["keys"][0]["objects"].get<int>() < 20);
}

BOOST_AUTO_TEST_CASE(keys_and_values_are_escaped_and_cut_at_a_terminal) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", keyed({cbor::key("a\x1b[2J", cbor::text(bytes(100, 'x') + "\n"))})).string();
  const outcome seen = run({"info", "--long", path});
  BOOST_TEST(seen.out.find('\x1b') == seen.out.npos);
  BOOST_TEST(seen.out.find("1  xxxxxxxxxxxxxxxxxxxxxxx…\n") != seen.out.npos, seen.out);
}

BOOST_AUTO_TEST_SUITE_END()

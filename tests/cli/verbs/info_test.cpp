// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "../process.hpp"
#include "../samples.hpp"

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
  BOOST_TEST(seen.err.starts_with("tgmap: " + path + ": "));
  BOOST_TEST(seen.err.find("message 1") != std::string::npos);
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

BOOST_AUTO_TEST_CASE(codecs_that_cannot_be_told_are_an_error) {
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

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Output at a terminal.
#include <boost/test/unit_test.hpp>

#include "../process.hpp"
#include "../samples.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(terminal_output)

BOOST_AUTO_TEST_CASE(info_is_a_page) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast() + "noise").string();
  const outcome seen = run_at_terminal({"info", path});
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(seen.out.starts_with("\x1b[1m" + path + "\x1b[0m\n  size      "), seen.out);
  BOOST_TEST(seen.out.find("\n  messages  3, 1 of version 2, 2 of version 3, 1 streamed\n") != std::string::npos);
  BOOST_TEST(seen.out.find("\n  objects   4\n") != std::string::npos);
  BOOST_TEST(seen.out.find("\n  access    mapped (") != std::string::npos);
  BOOST_TEST(seen.out.find("Messages:") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(many_gaps_do_not_flood_it) {
  const temporary_directory files;
  bytes data;
  for (int i = 0; i < 30; ++i) data += "noise" + old_message();
  const outcome seen = run_at_terminal({"info", files.file("f.tgm", data).string()});
  BOOST_TEST(seen.out.find("\n  gaps      20 more\n") != std::string::npos, seen.out);
}

BOOST_AUTO_TEST_CASE(ls_has_a_bold_header) {
  const temporary_directory files;
  const outcome seen = run_at_terminal({"ls", files.file("f.tgm", forecast()).string()});
  BOOST_TEST(seen.out.starts_with("\x1b[1mmessage "));
  BOOST_TEST(seen.out.find("notes\x1b[0m\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(json_is_the_same_everywhere) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  BOOST_TEST(run_at_terminal({"ls", "-j", path}).out == run({"ls", "-j", path}).out);
}

BOOST_AUTO_TEST_CASE(errors_follow_earlier_output) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const outcome seen = run_at_terminal({"info", path, path + "gone"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out.find("\x1b[1m" + path) < seen.out.find("tgmap: " + path + "gone"));
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "../process.hpp"
#include "../samples.hpp"

using namespace tgmap_test;

namespace {

struct variables {
  temporary_directory files;
  std::string file = files.file("f.tgm", forecast()).string();
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(environment, variables)

BOOST_AUTO_TEST_CASE(a_wrong_delay_is_a_mistake) {
  for (const char* const wrong : {"abc", "12x", "-1", "1.5"}) {
    const outcome seen = shell("TGMAP_PROGRESS_DELAY='" + std::string(wrong) + "' \"$TGMAP\" count '" + file + "'");
    BOOST_TEST(seen.status == 2, wrong);
    BOOST_TEST(seen.out == "");
    BOOST_TEST(seen.err == "tgmap: environment variable TGMAP_PROGRESS_DELAY: '" + std::string(wrong) +
                               "' is not a number of milliseconds; correct or unset it\n");
  }
  for (const char* const right : {"", "0", "500"})
    BOOST_TEST(shell("TGMAP_PROGRESS_DELAY='" + std::string(right) + "' \"$TGMAP\" count '" + file + "'").err == "");
}

BOOST_AUTO_TEST_CASE(a_wrong_window_is_reported_once) {
  for (const char* const name : {"COLUMNS", "LINES"})
    for (const char* const wrong : {"abc", "0", "10001", "80 "}) {
      const std::string line = std::string(name) + "='" + wrong + "' \"$TGMAP\"";
      const outcome seen = shell(line + " show '" + file + ":0:0'");
      BOOST_TEST(seen.status == 0);
      BOOST_TEST(seen.err == "tgmap: environment variable " + std::string(name) + ": '" + wrong +
                                 "' is not a number from 1 to 10000, and is ignored\n");
      BOOST_TEST(seen.out == shell(std::string("env -u ") + name + " \"$TGMAP\" show '" + file + ":0:0'").out);
      BOOST_TEST(shell(line + " count -q '" + file + "'").err == "");
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_temporary_folder_is_named) {
  for (const char* const wrong : {"/no/such/folder", "/proc"}) {
    const outcome seen = shell("cat '" + file + "' | TMPDIR=" + wrong + " \"$TGMAP\" count -");
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.starts_with("tgmap: -: temporary folder (TMPDIR): "), seen.err);
    BOOST_TEST(seen.err.ends_with("; set TMPDIR to a folder with room for the input, or name a file instead of -\n"),
               seen.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()

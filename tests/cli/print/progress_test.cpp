// SPDX-License-Identifier: Apache-2.0
#include "cli/print/progress.hpp"

#include <boost/test/unit_test.hpp>

#include <support/selection_samples.hpp>
#include "../process.hpp"

using namespace tgmap_test;
using tgmap::cli::progress_line;

BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(a_line_tells_share_rate_and_time_left) {
  constexpr std::uint64_t mebi = 1 << 20;
  BOOST_TEST(progress_line("f.tgm", 50 * mebi, 200 * mebi, 2, 80) ==
             "f.tgm [==========                              ]  25 %  25.0 MiB/s  6 s left");
  BOOST_TEST(progress_line("f.tgm", 0, 200, 0, 60) == "f.tgm [                                        ]   0 %");
  BOOST_TEST(progress_line("f.tgm", 200, 200, 1, 60) == "f.tgm [==========================] 100 %  200 B/s  0 s left");
  BOOST_TEST(progress_line("f", 10, 36010, 1, 70).ends_with("1:00 h left"));
  BOOST_TEST(progress_line("f", 10, 910, 1, 70).ends_with("1:30 min left"));
}

BOOST_AUTO_TEST_CASE(a_line_fits_whatever_the_window) {
  const std::string name(200, 'n');
  for (std::size_t width = 0; width < 120; ++width) {
    const std::string line = progress_line(name, 7, 9, 3, width);
    BOOST_TEST(line.size() <= width, width << ": " << line);
  }
  BOOST_TEST(progress_line(name, 7, 9, 3, 100).starts_with("...nnn"));
}

BOOST_AUTO_TEST_CASE(a_bar_is_gone_when_the_work_is_done) {
  const temporary_directory files;
  const auto f = files.file("f.tgm", six_messages()).string();
  const terminal at_once{.columns = 80, .rows = 24, .environment = {{"TGMAP_PROGRESS_DELAY", "0"}}};
  const outcome seen = run_at_terminal({"count", f}, at_once);
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.find('[') != std::string::npos, seen.out);
  BOOST_TEST(seen.out.find(" %") != std::string::npos);
  BOOST_TEST(seen.out.ends_with("\r\x1b[K6\n"), seen.out);  // erased before the answer
}

BOOST_AUTO_TEST_CASE(there_is_none_where_nobody_wants_it) {
  const temporary_directory files;
  const auto f = files.file("f.tgm", six_messages()).string();
  const terminal at_once{.columns = 80, .rows = 24, .environment = {{"TGMAP_PROGRESS_DELAY", "0"}}};
  BOOST_TEST(run_at_terminal({"count", "--no-progress", f}, at_once).out == "6\n");
  BOOST_TEST(run_at_terminal({"-q", "count", f}, at_once).out == "6\n");
  BOOST_TEST(run_at_terminal({"count", f}).out == "6\n");  // nobody has waited yet
  BOOST_TEST(run({"count", f}).err == "");
}

BOOST_AUTO_TEST_SUITE_END()

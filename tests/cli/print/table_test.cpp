// SPDX-License-Identifier: Apache-2.0
#include "cli/print/table.hpp"

#include <unistd.h>

#include <fcntl.h>
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <support/temporary.hpp>

using tgmap::cli::output;
using tgmap::cli::table;

BOOST_AUTO_TEST_SUITE(tables)

namespace {

/// Returns what `body` writes to standard output.
template <class F>
std::string captured(F&& body) {
  const tgmap_test::temporary_directory files;
  const auto path = files / "out";
  const int kept = ::dup(STDOUT_FILENO), file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  ::dup2(file, STDOUT_FILENO);
  {
    output out;
    body(out);
    out.flush();
  }
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  ::close(file);
  return tgmap_test::read_file(path);
}

std::vector<table::column> columns() {
  return {{"number", table::align::right}, {"name", table::align::left}, {"notes", table::align::left}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(columns_are_aligned) {
  const std::string text = captured([](output& out) {
    table t(out, columns(), true);
    t.row({"1", "a long name", "x"});
    t.row({"12345678", "b", ""});
    t.finish();
  });
  BOOST_TEST(text ==
             "  number  name         notes\n"
             "       1  a long name  x\n"
             "12345678  b\n");
}

BOOST_AUTO_TEST_CASE(tabs_stand_between_them_in_a_pipe) {
  const std::string text = captured([](output& out) {
    table t(out, columns());
    t.row({"1", "a long name", "x"});
    t.row({"12345678", "b", ""});
    t.finish();
  });
  BOOST_TEST(text == "number\tname\tnotes\n1\ta long name\tx\n12345678\tb\t\n");
}

BOOST_AUTO_TEST_CASE(characters_count_rather_than_bytes) {
  const std::string text = captured([](output& out) {
    table t(out, columns(), true);
    t.row({"1", "Grüße", "x"});
    t.row({"2", "abcde", "y"});
    t.finish();
  });
  BOOST_TEST(text == "number  name   notes\n     1  Grüße  x\n     2  abcde  y\n");
}

BOOST_AUTO_TEST_CASE(without_rows_the_header_is_left) {
  BOOST_TEST(captured([](output& out) { table(out, columns(), true).finish(); }) == "number  name  notes\n");
}

BOOST_AUTO_TEST_CASE(many_rows_keep_their_order_and_one_header) {
  constexpr int rows = 2500;  // more than two blocks
  const std::string text = captured([](output& out) {
    table t(out, columns(), true);
    for (int i = 0; i < rows; ++i) t.row({std::to_string(i), "n", std::to_string(i)});
    t.finish();
  });
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  BOOST_TEST(line == "number  name  notes");
  for (int i = 0; i < rows; ++i) {
    std::getline(lines, line);
    BOOST_TEST_REQUIRE(line.ends_with(" " + std::to_string(i)));
  }
  BOOST_TEST(!std::getline(lines, line));
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Closed standard descriptors, and the limit of open files.
#include <boost/test/unit_test.hpp>

#include "../rewriting.hpp"

using namespace tgmap_test;

namespace {

/// An intact archive, and one with an incomplete message, which causes messages on standard error.
struct given_descriptors : rewriting {
  bytes a = two_objects();
  std::string whole = make("whole", a), hurt = make("hurt", a + a.substr(0, a.size() - 10));

  outcome line(const std::string& arguments) const {
    return shell("cd '" + files.path().string() + "' && \"$TGMAP\" " + arguments);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(descriptors, given_descriptors)

BOOST_AUTO_TEST_CASE(closed_ones_are_no_archive) {
  for (const std::string closed : {"<&- >&- 2>&-", "</dev/null >&- 2>&-", "</dev/null >/dev/null 2>&-", "2>&- >&-"}) {
    make("o", a);
    line("append o hurt " + closed);
    BOOST_TEST((read("o") == a + a), closed);
    line("copy -f hurt o " + closed);
    BOOST_TEST((read("o") == a), closed);
    line("set -f -s k=v whole o " + closed);
    BOOST_TEST(values("o", "k") == "v", closed);
    BOOST_TEST(run({"validate", path("o")}).status == 0, closed);
    std::filesystem::remove(path("o"));
  }
}

BOOST_AUTO_TEST_CASE(closed_ones_cannot_be_used) {
  const outcome written = line("copy whole - >&-");
  BOOST_TEST(written.status == 1);
  BOOST_TEST(written.err.find("Bad file descriptor") != std::string::npos, written.err);
  const outcome seen = line("ls - <&-");
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("Bad file descriptor") != std::string::npos, seen.err);
  BOOST_TEST(line("ls whole >&-").status == 1);
  BOOST_TEST(line("ls whole <&- 2>&-").out == line("ls whole").out);
}

BOOST_AUTO_TEST_CASE(as_many_files_as_the_system_lets_it_have) {
  bytes all;
  std::string names;
  for (int i = 0; i < 100; ++i) {
    make("m" + std::to_string(i), a);
    names += " m" + std::to_string(i);
    all += a;
  }
  const outcome seen =
      shell("cd '" + files.path().string() + "' && ulimit -Sn 40 && \"$TGMAP\" copy --sort @version" + names + " o");
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST((read("o") == all));
}

BOOST_AUTO_TEST_CASE(an_input_that_is_the_output_at_once) {
  const auto kept = [&](const std::string& arguments) {
    const outcome seen = line(arguments + " 1<>whole");
    BOOST_TEST(seen.status == 1, arguments);
    BOOST_TEST(seen.err.find("whole: is the input and would be overwritten") != std::string::npos, seen.err);
    BOOST_TEST((read("whole") == a), arguments);
    make("whole", a);
  };
  kept("set -s k=v whole -");
  kept("copy hurt whole -");
  kept("copy hurt whole /dev/stdout");
  kept("merge hurt whole -o -");
  kept("reshuffle whole -o /dev/fd/1");
  kept("convert --filter shuffle whole -");
  kept("create - whole --shape 4 --dtype uint8");
  kept("extract --format raw whole:0:0 -o -");
  BOOST_TEST(line("copy - - <whole 1<>whole").status == 1);
  BOOST_TEST((read("whole") == a));
  BOOST_TEST(line("copy whole /dev/fd/3 3<>whole").status == 1);
  BOOST_TEST((read("whole") == a));
}

BOOST_AUTO_TEST_CASE(appending_to_an_input_is_allowed) {
  BOOST_TEST(line("copy whole - >>whole").status == 0);
  BOOST_TEST((read("whole") == a + a));
  BOOST_TEST(line("set -f -s k=v whole whole").status == 0);
  BOOST_TEST(values("whole", "k") == "v v");
}

BOOST_AUTO_TEST_SUITE_END()

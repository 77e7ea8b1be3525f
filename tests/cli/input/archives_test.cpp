// SPDX-License-Identifier: Apache-2.0
// Each verb shows gaps and tails in place and exits with 3. If a file is truncated while a verb runs, there is an error
// with its position and exit status 1, never a signal.
#include <boost/test/unit_test.hpp>

#include "../process.hpp"
#include "../samples.hpp"

using namespace tgmap_test;

namespace {

const bytes noise = "this is no message at all";

struct damaged_file {
  temporary_directory files;
  std::size_t gap = two_objects().size(), second = gap + noise.size(), tail = second + old_message().size();
  bytes data = two_objects() + noise + old_message() + two_objects().substr(0, 100);
  std::string path = files.file("f.tgm", data).string();
};

std::string range(std::size_t begin, std::size_t end) {
  return "[" + std::to_string(begin) + ", " + std::to_string(end) + ") ";
}

struct large_file {
  large_file() {
    for (int n = 0; n < 3000; ++n) data += forecast();  // more rows than a pipe holds: the verb waits for its reader
  }
  temporary_directory files;
  bytes data;
  std::string path() const { return (files / "f.tgm").string(); }

  /// Runs the verb, truncates the file after the first line of output, and reads the rest.
  outcome cut_under(const std::string& verb, std::size_t kept) const {
    write_file(path(), data);
    return shell("{ $TGMAP " + verb + "; echo \"status $?\" >&2; } | { read -r first; truncate -s " +
                 std::to_string(kept) + " '" + path() + "'; cat > /dev/null; }");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(damage, damaged_file)

BOOST_AUTO_TEST_CASE(info_tells_gaps_and_tail) {
  const outcome seen = run({"info", path});
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(seen.err == "");
  BOOST_TEST(seen.out.find("  Gap: " + range(gap, second)) != std::string::npos, seen.out);
  BOOST_TEST(seen.out.find("  Incomplete tail: " + range(tail, data.size())) != std::string::npos, seen.out);
  BOOST_TEST(seen.out.ends_with("\n\n"));

  const auto found = json_lines(run({"info", "-j", path}).out).at(0);
  BOOST_TEST(found["messages"] == 2);
  BOOST_TEST_REQUIRE(found["gaps"].size() == 1u);
  BOOST_TEST(found["gaps"][0]["begin"] == gap);
  BOOST_TEST(found["gaps"][0]["end"] == second);
  BOOST_TEST(!found["gaps"][0]["cause"].get<std::string>().empty());
  BOOST_TEST(found["incomplete_tail"]["begin"] == tail);
  BOOST_TEST(found["incomplete_tail"]["end"] == data.size());
}

BOOST_AUTO_TEST_CASE(ls_has_rows_for_them_in_place) {
  const outcome seen = run({"ls", path});
  BOOST_TEST(seen.status == 3);
  const auto at = [&](const char* text) { return seen.out.find(text); };
  BOOST_TEST(at("\ngap\t") < at("\n1\t"));
  BOOST_TEST(at("\n1\t") < at("\nincomplete_tail\t"));
  BOOST_TEST(at("\nincomplete_tail\t") != std::string::npos);

  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"ls", "-j", path}, std::vector<std::string>{"ls", "-j", "--objects", path}}) {
    const auto lines = json_lines(run(arguments).out);
    BOOST_TEST_REQUIRE(lines.size() >= 4u);
    const auto& shown = lines[lines.size() - 3];
    BOOST_TEST(shown["gap"]["begin"] == gap);
    BOOST_TEST(shown["gap"]["end"] == second);
    BOOST_TEST(shown["file"] == path);
    BOOST_TEST(lines[lines.size() - 2]["message"] == 1);
    BOOST_TEST(lines.back()["incomplete_tail"]["begin"] == tail);
  }
}

BOOST_AUTO_TEST_CASE(a_number_counts_across_the_gap_and_the_status_says_so) {
  const auto out = (files / "o.raw").string();
  BOOST_TEST(run({"extract", path + ":0:1", "-o", out}).status == 0);  // nothing was passed over yet
  const outcome seen = run({"extract", path + ":1:0", "-o", out});
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(seen.err.find("the file is damaged; message numbers skip the damaged parts; run `tgmap info ") !=
             std::string::npos);
  BOOST_TEST(read_file(out) == bytes("\1\0\2\0\3\0", 6));
  BOOST_TEST(run({"ls", path + ":1"}).status == 3);
}

BOOST_AUTO_TEST_CASE(an_offset_needs_no_numbers) {
  const auto out = (files / "o.raw").string();
  const outcome seen = run({"extract", path + "@" + std::to_string(second) + ":0", "-o", out});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.err == "");
  BOOST_TEST(read_file(out) == bytes("\1\0\2\0\3\0", 6));
}

BOOST_AUTO_TEST_CASE(an_incomplete_stream_keeps_its_complete_objects) {
  const bytes cut = streamed_message().substr(0, streamed_message().size() - 30);
  const auto cut_path = files.file("cut.tgm", cut).string();
  const outcome seen = run({"ls", "-j", cut_path});
  BOOST_TEST(seen.status == 3);
  const auto lines = json_lines(seen.out);
  BOOST_TEST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(lines[0]["incomplete"] == true);
  BOOST_TEST(lines[0]["objects"] == 1);
  BOOST_TEST(lines[1].contains("incomplete_tail"));
  BOOST_TEST(run({"ls", cut_path}).out.find("streamed, incomplete") != std::string::npos);
  BOOST_TEST(run({"info", cut_path}).out.find("  Incomplete: 1\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_archive_at_all_is_one_gap) {
  const bytes unknown = "\x01" + noise;  // not the begin of a known kind of file
  const outcome seen = run({"info", files.file("readme", unknown).string()});
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(seen.out.find("  Messages: 0\n") != std::string::npos);
  BOOST_TEST(seen.out.find("Version:") == std::string::npos);
  BOOST_TEST(seen.out.find("  Gap: " + range(0, unknown.size())) != std::string::npos, seen.out);
}

BOOST_AUTO_TEST_CASE(failed_comes_before_damaged) {
  const auto fine = files.file("fine.tgm", two_objects()).string();
  BOOST_TEST(run({"info", fine, path}).status == 3);
  BOOST_TEST(run({"info", path, fine}).status == 3);
  BOOST_TEST(run({"info", path, (files / "gone").string(), fine}).status == 1);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(cut, large_file)

BOOST_AUTO_TEST_CASE(verbs_say_so_and_end) {
  for (const std::string mode : {"--io map", "--io read"})
    for (const std::size_t kept : {0u, 5000u})
      for (const std::string verb : {"ls --objects --json ", "ls --json "}) {
        const outcome seen = cut_under(verb + mode + " '" + path() + "'", kept);
        BOOST_TEST_CONTEXT(verb << mode << ", " << kept << " bytes kept: " << seen.err.substr(0, 300)) {
          BOOST_TEST(seen.err.find("status 1\n") != std::string::npos);
        }
      }
}

BOOST_AUTO_TEST_SUITE_END()

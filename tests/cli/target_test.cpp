// SPDX-License-Identifier: Apache-2.0
#include "cli/target.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "cli/complaint.hpp"

using tgmap::cli::parse_target;
using tgmap::cli::target;
using tgmap::cli::usage_error;

namespace {

target parse(const char* text, const std::set<std::string>& files) {
  return parse_target(text, [&](const std::string& path) { return path == "-" || files.contains(path); });
}

void expect(const target& found, const char* file, std::optional<std::int64_t> message,
            std::optional<std::uint64_t> offset, std::optional<std::int64_t> object) {
  BOOST_TEST(found.file == file);
  BOOST_TEST((found.message == message));
  BOOST_TEST((found.offset == offset));
  BOOST_TEST((found.object == object));
}

constexpr std::nullopt_t none = std::nullopt;

}  // namespace

BOOST_AUTO_TEST_SUITE(targets)

BOOST_AUTO_TEST_CASE(a_file_alone_is_the_whole_file) {
  const target found = parse("f.tgm", {"f.tgm"});
  expect(found, "f.tgm", none, none, none);
  BOOST_TEST(found.whole_file());
}

BOOST_AUTO_TEST_CASE(numbers_follow_a_colon) {
  expect(parse("f.tgm:3", {"f.tgm"}), "f.tgm", 3, none, none);
  expect(parse("f.tgm:3:0", {"f.tgm"}), "f.tgm", 3, none, 0);
  BOOST_TEST(!parse("f.tgm:3", {"f.tgm"}).whole_file());
}

BOOST_AUTO_TEST_CASE(negative_numbers_count_from_the_end) {
  expect(parse("f.tgm:-1", {"f.tgm"}), "f.tgm", -1, none, none);
  expect(parse("f.tgm:-2:-3", {"f.tgm"}), "f.tgm", -2, none, -3);
  expect(parse("f.tgm:-9223372036854775808", {"f.tgm"}), "f.tgm", INT64_MIN, none, none);
}

BOOST_AUTO_TEST_CASE(an_offset_follows_an_at) {
  expect(parse("f.tgm@0", {"f.tgm"}), "f.tgm", none, 0, none);
  expect(parse("f.tgm@4096:-1", {"f.tgm"}), "f.tgm", none, 4096, -1);
  expect(parse("f.tgm@0x3a10:2", {"f.tgm"}), "f.tgm", none, 0x3a10, 2);
  expect(parse("f.tgm@18446744073709551615", {"f.tgm"}), "f.tgm", none, UINT64_MAX, none);
}

BOOST_AUTO_TEST_CASE(a_minus_is_standard_input) {
  expect(parse("-", {}), "-", none, none, none);
  expect(parse("-:0:1", {}), "-", 0, none, 1);
  expect(parse("-@24", {}), "-", none, 24, none);
  expect(parse("/dev/stdin:0:1", {"/dev/stdin"}), "-", 0, none, 1);
  expect(parse("/dev/stdin", {"/dev/stdin"}), "-", none, none, none);
}

BOOST_AUTO_TEST_CASE(the_whole_text_is_the_file_when_that_exists) {
  expect(parse("f.tgm:1", {"f.tgm", "f.tgm:1"}), "f.tgm:1", none, none, none);
  expect(parse("2024-01-01T00:00", {"2024-01-01T00:00"}), "2024-01-01T00:00", none, none, none);
}

BOOST_AUTO_TEST_CASE(else_the_longest_part_that_exists_is) {
  expect(parse("a:1:2", {"a", "a:1"}), "a:1", 2, none, none);
  expect(parse("user@host:7:5:0", {"user@host:7"}), "user@host:7", 5, none, 0);
  expect(parse("a@1@2", {"a@1"}), "a@1", none, 2, none);
  expect(parse("x:y@3:4", {"x:y"}), "x:y", none, 3, 4);
}

BOOST_AUTO_TEST_CASE(what_follows_a_file_must_be_numbers) {
  for (const char* text : {"f:", "f:x", "f:1:", "f:1:x", "f:1:2:3", "f:1@2", "f@", "f@-1", "f@0x", "f@1:2:3", "f: 1",
                           "f:+1", "f:1.0", "f:0x1", "f:9223372036854775808", "f@18446744073709551616", "f:1 "})
    BOOST_CHECK_THROW(parse(text, {"f"}), usage_error);
}

BOOST_AUTO_TEST_CASE(the_error_names_file_and_rest) {
  BOOST_CHECK_EXCEPTION(parse("f:1:x", {"f"}), usage_error, [](const usage_error& why) {
    return std::string(why.what()) == "':1:x' after 'f' is not :MESSAGE, :MESSAGE:OBJECT, @OFFSET or @OFFSET:OBJECT";
  });
}

BOOST_AUTO_TEST_CASE(without_any_file_as_much_as_possible_is_numbers) {
  expect(parse("gone.tgm", {}), "gone.tgm", none, none, none);
  expect(parse("gone.tgm:1:2", {}), "gone.tgm", 1, none, 2);
  expect(parse("gone.tgm@9:2", {}), "gone.tgm", none, 9, 2);
  expect(parse("gone:x", {}), "gone:x", none, none, none);
  expect(parse("", {}), "", none, none, none);
  expect(parse("a:1:2:3", {}), "a:1", 2, none, 3);
}

BOOST_AUTO_TEST_CASE(the_disk_knows_what_exists) {
  BOOST_TEST(tgmap::cli::exists_on_disk("-"));
  BOOST_TEST(tgmap::cli::exists_on_disk("/"));
  BOOST_TEST(!tgmap::cli::exists_on_disk(""));
  BOOST_TEST(!tgmap::cli::exists_on_disk("/no such directory/f.tgm"));
  BOOST_TEST(!tgmap::cli::exists_on_disk(std::string(5000, 'x')));
}

BOOST_AUTO_TEST_SUITE_END()

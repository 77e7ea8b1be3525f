// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <set>
#include <support/failures.hpp>
#include <tgmap/tools/address.hpp>

using tgmap::archive_address;
using tgmap::errc;
using tgmap::number_range;

BOOST_AUTO_TEST_SUITE(addresses)

namespace {

archive_address parse(const char* text, const std::set<std::string>& files) {
  return archive_address::parse(text, [&](const std::string& path) { return files.contains(path); });
}

void expect(const archive_address& found, const char* file, std::optional<std::int64_t> message,
            std::optional<std::uint64_t> offset, std::optional<std::int64_t> object) {
  BOOST_TEST(found.file == file);
  const auto one = [](std::optional<std::int64_t> n) {
    return n ? std::optional(number_range{.begin = n}) : std::nullopt;
  };
  BOOST_TEST((found.messages == one(message)));
  BOOST_TEST((found.offset == offset));
  BOOST_TEST((found.objects == one(object)));
}

constexpr std::nullopt_t none = std::nullopt;

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_alone_is_the_whole_file) {
  const archive_address found = parse("f.tgm", {"f.tgm"});
  expect(found, "f.tgm", none, none, none);
  BOOST_TEST(found.whole_file());
}

BOOST_AUTO_TEST_CASE(numbers_follow_a_colon) {
  expect(parse("f.tgm:3", {"f.tgm"}), "f.tgm", 3, none, none);
  expect(parse("f.tgm:3:0", {"f.tgm"}), "f.tgm", 3, none, 0);
  BOOST_TEST(!parse("f.tgm:3", {"f.tgm"}).whole_file());
}

BOOST_AUTO_TEST_CASE(two_dots_make_a_range) {
  using range = std::optional<number_range>;
  const auto messages = [](const char* text) { return parse(text, {"f.tgm"}).messages; };
  BOOST_TEST((messages("f.tgm:2..5") == range(number_range{false, 2, 5})));
  BOOST_TEST((messages("f.tgm:..5") == range(number_range{false, none, 5})));
  BOOST_TEST((messages("f.tgm:-3..") == range(number_range{false, -3, none})));
  BOOST_TEST((messages("f.tgm:..") == range(number_range{false, none, none})));
  const archive_address both = parse("f.tgm:..:0..-1", {"f.tgm"});
  BOOST_TEST((both.objects == range(number_range{false, 0, -1})));
  BOOST_TEST(!both.one_message());
  BOOST_TEST(!both.one_object());
  BOOST_TEST((parse("f.tgm@8:1..", {"f.tgm"}).objects == range(number_range{false, 1, none})));
  for (const char* wrong : {"f.tgm:1...", "f.tgm:1..2..3", "f.tgm:a..", "f.tgm:..b", "f.tgm:1. .2", "f.tgm@1..2"})
    TGMAP_THROWS(parse(wrong, {"f.tgm"}), errc::bad_address);
}

BOOST_AUTO_TEST_CASE(a_file_whose_name_has_dots_is_a_file) {
  expect(parse("a..b", {"a..b"}), "a..b", none, none, none);
  expect(parse("f:1..2", {"f:1..2", "f"}), "f:1..2", none, none, none);
}

BOOST_AUTO_TEST_CASE(ranges_are_what_there_is_of_them) {
  const auto of = [](std::optional<std::int64_t> begin, std::optional<std::int64_t> end, std::uint64_t count) {
    const auto found = tgmap::to_bounds({false, begin, end}, count);
    return std::pair(found.begin, found.end);
  };
  using pair = std::pair<std::uint64_t, std::uint64_t>;
  BOOST_TEST((of(none, none, 5) == pair(0, 5)));
  BOOST_TEST((of(1, -1, 5) == pair(1, 5)));
  BOOST_TEST((of(-2, none, 5) == pair(3, 5)));
  BOOST_TEST((of(1, -2, 5) == pair(1, 4)));
  BOOST_TEST((of(-9, 2, 5) == pair(0, 3)));
  BOOST_TEST((of(2, 2, 5) == pair(2, 3)));
  BOOST_TEST((of(0, -6, 5) == pair(0, 0)));
  BOOST_TEST((of(0, 3, 0) == pair(0, 0)));
  BOOST_TEST((of(3, 99, 5) == pair(3, 5)));
  BOOST_TEST((of(4, 2, 5) == pair(4, 4)));
  BOOST_TEST((of(9, none, 5) == pair(5, 5)));
  BOOST_TEST((of(INT64_MIN, INT64_MAX, 5) == pair(0, 5)));
  BOOST_TEST((of(none, none, 0) == pair(0, 0)));
}

BOOST_AUTO_TEST_CASE(one_number_is_not_held_within_bounds) {
  const auto of = [](std::int64_t n, std::uint64_t count) { return tgmap::to_bounds({true, n, {}}, count).begin; };
  BOOST_TEST(of(7, 5) == 7U);
  BOOST_TEST(of(-1, 5) == 4U);
  BOOST_TEST(of(-6, 5) == UINT64_MAX);
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

BOOST_AUTO_TEST_CASE(text_after_a_file_must_be_numbers) {
  for (const char* text : {"f:", "f:x", "f:1:", "f:1:x", "f:1:2:3", "f:1@2", "f@", "f@-1", "f@0x", "f@1:2:3", "f: 1",
                           "f:+1", "f:1.0", "f:0x1", "f:9223372036854775808", "f@18446744073709551616", "f:1 "})
    TGMAP_THROWS(parse(text, {"f"}), errc::bad_address);
}

BOOST_AUTO_TEST_CASE(the_failure_says_where_the_text_begins) {
  tgmap::failure why;
  const auto found = archive_address::parse(
      "f:1:x", [](const std::string& path) { return path == "f"; }, why);
  TGMAP_FAILED(why, errc::bad_address);
  BOOST_TEST(why.found == 2U);
  BOOST_TEST(found.file == "f");
  BOOST_TEST(found.whole_file());
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
  BOOST_TEST(archive_address::exists("/"));
  BOOST_TEST(!archive_address::exists(""));
  BOOST_TEST(!archive_address::exists("/no such directory/f.tgm"));
  BOOST_TEST(!archive_address::exists(std::string(5000, 'x')));
}

BOOST_AUTO_TEST_SUITE_END()

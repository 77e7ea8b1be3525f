// SPDX-License-Identifier: Apache-2.0
#include "cli/input/target.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "cli/app/cli_error.hpp"

using tgmap::number_range;
using tgmap::cli::parse_target;
using tgmap::cli::target;
using tgmap::cli::usage_error;

BOOST_AUTO_TEST_SUITE(targets)

namespace {

target parse(const char* text, const std::set<std::string>& files) {
  return parse_target(text, [&](const std::string& path) { return path == "-" || files.contains(path); });
}

void expect(const target& found, const char* file, std::optional<std::int64_t> message,
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

BOOST_AUTO_TEST_CASE(a_minus_is_standard_input) {
  expect(parse("-", {}), "-", none, none, none);
  expect(parse("-:0:1", {}), "-", 0, none, 1);
  expect(parse("-@24", {}), "-", none, 24, none);
  expect(parse("/dev/stdin:0:1", {"/dev/stdin"}), "-", 0, none, 1);
  expect(parse("/dev/stdin", {"/dev/stdin"}), "-", none, none, none);
}

BOOST_AUTO_TEST_CASE(the_error_names_file_and_rest) {
  BOOST_CHECK_EXCEPTION(parse("f:1:x", {"f"}), usage_error, [](const usage_error& why) {
    return std::string(why.what()) ==
           "':1:x' after 'f' is not :MESSAGE, :MESSAGE:OBJECT, @OFFSET or @OFFSET:OBJECT; a number may be a range such "
           "as 2..5, with both ends";
  });
}

BOOST_AUTO_TEST_CASE(a_list_of_files_is_no_archive) {
  BOOST_CHECK_THROW(parse("@list", {"list"}), usage_error);
  expect(parse("@list", {"@list"}), "@list", none, none, none);
  expect(parse("@list", {}), "@list", none, none, none);
}

BOOST_AUTO_TEST_CASE(the_disk_knows_what_exists) {
  BOOST_TEST(tgmap::cli::exists_on_disk("-"));
  BOOST_TEST(tgmap::cli::exists_on_disk("/"));
  BOOST_TEST(!tgmap::cli::exists_on_disk(""));
  BOOST_TEST(!tgmap::cli::exists_on_disk("/no such directory/f.tgm"));
  BOOST_TEST(!tgmap::cli::exists_on_disk(std::string(5000, 'x')));
}

BOOST_AUTO_TEST_SUITE_END()

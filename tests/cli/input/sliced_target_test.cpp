// SPDX-License-Identifier: Apache-2.0
#include "cli/input/sliced_target.hpp"

#include <boost/test/unit_test.hpp>

#include "cli/app/cli_error.hpp"

BOOST_AUTO_TEST_SUITE(slices)

using namespace tgmap::cli;

namespace {

using numbers_of = std::vector<std::uint64_t>;

std::string refusal(const std::string& text, const numbers_of& shape = {4, 5, 6}) {
  try {
    resolve(parse_slice(text), shape);
  } catch (const usage_error& why) {
    return std::string("usage: ") + why.what();
  } catch (const cli_error& why) {
    return std::string(why.what()) + "; " + why.next_step();
  }
  return "taken";
}

}  // namespace

BOOST_AUTO_TEST_CASE(errors_name_the_axis) {
  BOOST_TEST(refusal("[1,5]") ==
             "index 5 is out of range for axis 1 with extent 5, in the slice '[1,5]' of the shape [4, 5, 6]; use 0 to "
             "4, or -5 to -1");
  BOOST_TEST(refusal("[...,-7]").starts_with("index -7 is out of range for axis 2 with extent 6,"));
  BOOST_TEST(refusal("[-9223372036854775808]").starts_with("index -9223372036854775808 is out of range for axis 0"));
  BOOST_TEST(refusal("[0]", {0}).starts_with("index 0 is out of range for axis 0 with extent 0,"));
  BOOST_TEST(refusal("[0,0,0,0]").starts_with("the slice '[0,0,0,0]' has 4 dimensions, but the shape"));
  BOOST_TEST(refusal("[0]", {}).starts_with("the slice '[0]' has 1 dimension, but the shape [] has 0"));
}

BOOST_AUTO_TEST_CASE(invalid_slices_are_usage_errors) {
  for (const std::string text : {"[]", "[ ]", "[1,,2]", "[1,]", "[x]", "[1:x]", "[1.5]", "[::-1]", "[::0]", "[1:2:3:4]",
                                 "[...,1,...]", "[..]", "[....]", "[1 2]", "[+1]", "[0x1]", "[--1]", "[:-]"})
    BOOST_TEST(refusal(text).starts_with("usage: "), text << ": " << refusal(text));
}

BOOST_AUTO_TEST_CASE(a_slice_is_taken_off_first) {
  const auto only_f = [](const std::string& path) { return path == "f" || path == "g[1]" || path == "h[0]:1"; };
  const auto parsed = parse_sliced_target("f:1:-1[2,::4]", only_f);
  BOOST_TEST(parsed.address.file == "f");
  BOOST_TEST(parsed.address.one_object());
  BOOST_TEST_REQUIRE(parsed.slice.has_value());
  BOOST_TEST(parsed.slice->text == "[2,::4]");
  BOOST_TEST(parse_sliced_target("f:1:0 [2]", only_f).address.one_object());
  BOOST_TEST(parse_sliced_target("f[2]", only_f).address.whole_file());
  BOOST_TEST(!parse_sliced_target("f:1:0", only_f).slice.has_value());
  BOOST_TEST(!parse_sliced_target("g[1]", only_f).slice.has_value());  // the file
  BOOST_TEST(parse_sliced_target("g[1]", only_f).address.file == "g[1]");
  BOOST_TEST(parse_sliced_target("g[1][0]", only_f).address.file == "g[1]");
  BOOST_TEST(parse_sliced_target("h[0]:1:2:0[3]", only_f).address.file == "h[0]:1");
}

BOOST_AUTO_TEST_SUITE_END()

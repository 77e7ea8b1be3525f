// SPDX-License-Identifier: Apache-2.0
// Values to sort and to group by.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/query/sort_reader.hpp>
#include <utility>

using namespace tgmap_test;
using tgmap::errc;
using tgmap::key_lookup;
using tgmap::metadata_key;
using tgmap::sort_column;

BOOST_AUTO_TEST_SUITE(sort_reader)

namespace {

bytes field(const char* param, unsigned step) {
  return message({.objects = {grid()}, .base = {cbor::map({cbor::key("mars", mars(param, step))})}});
}

/// Returns the numbers of the messages in order.
std::vector<std::size_t> sorted(const bytes& data, std::vector<sort_column> columns) {
  const auto archive = open(data);
  tgmap::sort_reader reader(std::move(columns));
  std::vector<tgmap::sort_values> values;
  for (std::size_t i = 0; i < archive.size(); ++i) {
    key_lookup keys(archive[i]);
    values.push_back(reader.read(keys));
  }
  std::vector<std::size_t> out(values.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::ranges::stable_sort(
      out, [&](std::size_t a, std::size_t b) { return tgmap::comes_before(reader.columns(), values[a], values[b]); });
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(later_keys_count_if_the_first_are_equal) {
  const bytes data = field("2t", 12) + field("10u", 6) + field("2t", 3) + field("10u", 6);
  const metadata_key param("mars.param"), step("mars.step");
  BOOST_TEST(sorted(data, {{param}, {step}}) == (std::vector<std::size_t>{1, 3, 2, 0}),
             boost::test_tools::per_element());
  BOOST_TEST(sorted(data, {{param, true}, {step}}) == (std::vector<std::size_t>{2, 0, 1, 3}),
             boost::test_tools::per_element());
  BOOST_TEST(sorted(data, {{step, true}}) == (std::vector<std::size_t>{0, 1, 3, 2}), boost::test_tools::per_element());
  BOOST_TEST(sorted(data, {}) == (std::vector<std::size_t>{0, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(columns_are_parsed_from_a_list) {
  const auto columns = tgmap::parse_sort("mars.param:asc, step:desc,a:b");
  BOOST_TEST_REQUIRE(columns.size() == 3U);
  BOOST_TEST((columns[0].key.text() == "mars.param" && !columns[0].descending));
  BOOST_TEST((columns[1].key.text() == "step" && columns[1].descending));
  BOOST_TEST((columns[2].key.text() == "a:b" && !columns[2].descending));
  const auto place_of_mistake = [](std::string_view list) {
    tgmap::failure why;
    static_cast<void>(tgmap::parse_sort(list, why));
    TGMAP_FAILED(why, errc::bad_key);
    return std::pair(why.found, why.expected);
  };
  BOOST_TEST((place_of_mistake("") == std::pair<std::uint64_t, std::uint64_t>(1, 0)));
  BOOST_TEST((place_of_mistake("step,:desc") == std::pair<std::uint64_t, std::uint64_t>(6, 0)));
  BOOST_TEST((place_of_mistake("step, @ofset:desc") == std::pair<std::uint64_t, std::uint64_t>(7, 6)));
  TGMAP_THROWS(tgmap::parse_sort("a,"), errc::bad_key);
}

BOOST_AUTO_TEST_CASE(missing_values_come_last_in_either_direction) {
  const bytes data = message({.objects = {grid()}}) + field("2t", 6) + field("2t", 9);
  const metadata_key step("mars.step");
  BOOST_TEST(sorted(data, {{step}}) == (std::vector<std::size_t>{1, 2, 0}), boost::test_tools::per_element());
  BOOST_TEST(sorted(data, {{step, true}}) == (std::vector<std::size_t>{2, 1, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(groups_are_equal_only_for_equal_values) {
  const bytes data = field("2t", 1) + field("2t1", 0) + message({.objects = {grid()}});
  const auto archive = open(data);
  const std::vector<metadata_key> keys{metadata_key("mars.param"), metadata_key("mars.step")};
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < archive.size(); ++i) {
    key_lookup in(archive[i]);
    groups.push_back(tgmap::group_key(keys, in));
  }
  BOOST_TEST(groups == (std::vector<std::string>{"2:2t1:1", "3:2t11:0", "--"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(keys_that_cannot_be_read_are_failures) {
  bytes data = field("2t", 1);
  const std::size_t at = data.find("param");
  data[at - 1] = '\xff';  // the head of the key
  const auto archive = open(data);
  key_lookup in(archive[0]);
  tgmap::failure why;
  const std::vector<metadata_key> keys{metadata_key("mars.param")};
  BOOST_TEST(tgmap::sort_reader({{keys.front()}}).read(in, why).empty());
  BOOST_TEST(bool(why));
  BOOST_TEST(tgmap::group_key(keys, in, why).empty());
  BOOST_TEST(bool(why));
  BOOST_CHECK_THROW(tgmap::group_key(keys, in), tgmap::error);
}

BOOST_AUTO_TEST_SUITE_END()

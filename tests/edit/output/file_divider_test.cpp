// SPDX-License-Identifier: Apache-2.0
#include "edit/output/file_divider.hpp"

#include <boost/test/unit_test.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/archive.hpp>

BOOST_AUTO_TEST_SUITE(file_dividers)

using namespace tgmap_test;

namespace {

std::vector<std::uint64_t> files_of(const tgmap::archive& from, const tgmap::edit::division& rule) {
  tgmap::edit::file_divider divide(rule);
  std::vector<std::uint64_t> out;
  for (const tgmap::message& each : from) {
    tgmap::key_lookup keys(each);
    out.push_back(divide.file_for(each, keys));
  }
  return out;
}

using numbers = std::vector<std::uint64_t>;

}  // namespace

BOOST_AUTO_TEST_CASE(messages_are_divided_by_number_size_or_keys) {
  const bytes data = six_messages();
  const auto from = tgmap::archive::from_memory(span_of(data));
  BOOST_TEST((files_of(from, {.messages = 4}) == numbers{0, 0, 0, 0, 1, 1}));
  const std::uint64_t two = from[0].length() + from[1].length();
  BOOST_TEST(files_of(from, {.bytes = two}).at(1) == 0u);
  BOOST_TEST(files_of(from, {.bytes = two}).at(2) == 1u);
  BOOST_TEST((files_of(from, {.bytes = 1}) == numbers{0, 1, 2, 3, 4, 5}));  // each is larger than the limit
  const numbers by_step = files_of(from, {.keys = {tgmap::metadata_key("mars.step")}});
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t k = 0; k < from.size(); ++k) {
      tgmap::key_lookup one(from[i]), other(from[k]);
      const tgmap::metadata_key step("mars.step");
      BOOST_TEST((by_step[i] == by_step[k]) == (one.find(step).text() == other.find(step).text()));
    }
}

BOOST_AUTO_TEST_SUITE_END()

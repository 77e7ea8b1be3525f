// SPDX-License-Identifier: Apache-2.0
// Selections find the same with an index that was extended as without one, wherever the archive ended before.
#include <boost/test/unit_test.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>
#include <support/shared_data.hpp>

#include "../index/extended.hpp"
#include "random_metadata.hpp"
#include "selection_answers.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(updated_selection_test)

namespace {

/// Returns the offsets of all messages but the first, at which an archive may have ended before.
std::vector<std::size_t> places_to_cut(const bytes& data) {
  std::vector<std::size_t> out;
  const auto all = open_skipping(data);
  for (std::size_t i = 1; i < all.size(); ++i) out.push_back(static_cast<std::size_t>(all[i].offset()));
  return out;
}

void compare_grown(const std::filesystem::path& file, const bytes& data, const std::vector<std::size_t>& sizes,
                   unsigned seed) {
  BOOST_TEST_CONTEXT(file.filename().string()
                     << " of " << sizes.front() << " bytes, extended " << sizes.size() << " times") {
    check_extended(file, grow(file, data, sizes));
    compare_answers(file, seed);
  }
}

/// Cuts an archive at each message and extends it at once, and then message by message, two and three at a time.
void compare_all(const std::filesystem::path& file, const bytes& data, unsigned seed) {
  const auto places = places_to_cut(data);
  for (std::size_t k = 0; k < places.size(); k += stride(3)) compare_grown(file, data, {places[k]}, seed);
  for (const std::size_t step : {1, 2, 3}) {
    std::vector<std::size_t> sizes;
    for (std::size_t k = 0; k < places.size(); k += step) sizes.push_back(places[k]);
    if (!sizes.empty() && sizes.size() < 60) compare_grown(file, data, sizes, seed);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_file_gives_the_same_answers_after_an_update) {
  const temporary_directory temporary;
  std::size_t compared = 0;
  case_sampler sample(7);
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm" || !sample.takes_next()) continue;
    const bytes data = read_file(entry.path());
    const auto places = places_to_cut(data);
    if (places.empty()) continue;
    compare_grown(temporary / entry.path().filename().string(), data, {places[places.size() / 2]}, 1);
    ++compared;
  }
  BOOST_TEST(compared > (all_rounds() ? 20u : 1u));
}

BOOST_AUTO_TEST_CASE(random_metadata_gives_the_same_answers_after_updates) {
  const temporary_directory temporary;
  for (unsigned seed = 1; seed <= rounds(5U); ++seed) {
    random_metadata random(seed);
    bytes data;
    for (unsigned i = 0; i < 3 + seed; ++i) {
      data += random.message();
      if (seed % 4 == 0 && i % 9 == 5) data += "damage";
      if (seed % 5 == 0 && i % 7 == 3) data += version_1_message({payload_of(1)});
    }
    compare_all(temporary / ("random" + std::to_string(seed) + ".tgm"), data, seed);
  }
}

BOOST_AUTO_TEST_CASE(many_messages_with_random_metadata) {
  const temporary_directory temporary;
  for (unsigned seed = 100; seed < 100 + rounds(2U); ++seed) {
    random_metadata random(seed);
    bytes data;
    for (unsigned i = 0; i < 120; ++i) data += random.message();
    const auto places = places_to_cut(data);
    compare_grown(temporary / "many.tgm", data, {places[50], places[51], places[100]}, seed);
  }
}

BOOST_AUTO_TEST_CASE(objects_with_different_values_come_before_or_after_the_update) {
  const temporary_directory temporary;
  const bytes equal = six_messages(), different = two_named_objects();
  for (const bytes& data : {equal + different + equal, different + equal + equal, equal + equal + different,
                            different + different + equal + different})
    compare_all(temporary / "objects.tgm", data, 3);
}

BOOST_AUTO_TEST_CASE(keys_that_no_old_message_has_get_no_column) {
  const temporary_directory temporary;
  const auto file = temporary / "keys.tgm";
  const bytes old = with_keys({cbor::key("a", cbor::integer(1))}) + with_keys({cbor::key("a", cbor::integer(2))});
  const bytes data =
      old + with_keys({cbor::key("b", cbor::integer(3))}) + with_keys({cbor::key("a", cbor::integer(1))});
  const auto extended = grow(file, data, {old.size()});
  BOOST_REQUIRE(extended.columns.size() == 1u);
  BOOST_TEST(extended.columns[0].key == "a");
  BOOST_TEST(extended.columns[0].messages == 3u);
  compare_answers(file, 1);
  const auto with_a = tgmap::indexed_selection::of_messages(tgmap::archive(file), tgmap::selection("a=1"));
  BOOST_TEST(with_a.count(tgmap::index_answer::yes) == 2u);
  BOOST_TEST(with_a.count(tgmap::index_answer::no) == 2u);
  BOOST_TEST(
      tgmap::indexed_selection::of_messages(tgmap::archive(file), tgmap::selection("b=3")).missing_keys().size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Selections find the same messages and objects with an index as without one.
#include <boost/test/unit_test.hpp>
#include <support/process/system_calls.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>
#include <support/shared_data.hpp>

#include "random_metadata.hpp"
#include "selection_answers.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_answer;
using tgmap::index_use;
using tgmap::indexed_selection;
using tgmap::on_damage;
using tgmap::selection;

BOOST_AUTO_TEST_SUITE(indexed_selection_test)

namespace {

void compare(const std::filesystem::path& file, unsigned seed) {
  write_index(file);
  compare_answers(file, seed);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_file_gives_the_same_answers) {
  const temporary_directory temporary;
  std::size_t compared = 0;
  case_sampler sample(7);
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm" || !sample.takes_next()) continue;
    compare(temporary.file(entry.path().filename().string(), read_file(entry.path())), 1);
    ++compared;
  }
  BOOST_TEST(compared > (all_rounds() ? 50u : 5u));
}

BOOST_AUTO_TEST_CASE(random_metadata_gives_the_same_answers) {
  const temporary_directory temporary;
  for (unsigned seed = 1; seed <= rounds(6U); ++seed) {
    random_metadata random(seed);
    bytes data;
    for (unsigned i = 0; i < 1 + seed * 7; ++i) {
      data += random.message();
      if (seed % 4 == 0 && i % 9 == 5) data += "damage";
      if (seed % 5 == 0 && i % 7 == 3) data += version_1_message({payload_of(1)});
    }
    compare(temporary.file("random" + std::to_string(seed) + ".tgm", data), seed);
  }
}

BOOST_AUTO_TEST_CASE(objects_with_different_values_come_late) {
  const temporary_directory temporary;
  bytes data;
  const bytes six = six_messages();
  for (int k = 0; k < 30; ++k) data += six;
  data += two_named_objects() + six_messages() + two_named_objects();
  compare(temporary.file("late.tgm", data), 3);
}

BOOST_AUTO_TEST_CASE(no_message_is_read_for_answers) {
  const temporary_directory temporary;
  bytes data;
  const bytes six = six_messages();
  for (int k = 0; k < 300; ++k) data += six;
  const auto file = temporary.file("a.tgm", data);
  write_index(file);
  // Another process empties the archive and sets its time back, so that reading a message would fail.
  const tgmap::archive with(file);
  const auto time = std::filesystem::last_write_time(file);
  write_file(file, bytes(data.size(), ' '));
  std::filesystem::last_write_time(file, time);
  const selection wanted("mars.param=2t and mars.step>=6 and not name=none");
  BOOST_TEST(indexed_selection::of_messages(with, wanted).count(index_answer::yes) == 600u);
  BOOST_TEST(indexed_selection::of_messages(with, wanted).count(index_answer::unknown) == 0u);
  BOOST_TEST(indexed_selection::of_objects(with, wanted).count(index_answer::yes) == 600u);
  const auto next = indexed_selection::of_messages(with, selection("mars.param=10u and mars.step=12"));
  BOOST_TEST(next.next(0) == 5u);
  BOOST_TEST(next.next(6) == 11u);
  BOOST_TEST(next.next(1799) == 1799u);
  BOOST_TEST(next.next(1800) == 1800u);  // messages that were appended later are not known
}

BOOST_AUTO_TEST_CASE(a_key_without_a_column_falls_back_for_itself) {
  const temporary_directory temporary;
  bytes data;
  const bytes six = six_messages();
  for (int k = 0; k < 20; ++k) data += six;
  const auto file = temporary.file("a.tgm", data);
  tgmap::memory_sink to;
  tgmap::create_index(tgmap::archive(file), to, {.keys = {"mars.param"}, .default_keys = false});
  write_file(index_path(file), bytes(view_of(to.release())));
  const tgmap::archive with(file);
  const auto both = indexed_selection::of_messages(with, selection("mars.param=2t and mars.step=6"));
  BOOST_TEST(both.count(index_answer::no) == 60u);  // decided by the parameter
  BOOST_TEST(both.count(index_answer::unknown) == 60u);
  BOOST_TEST((both.missing_keys() == std::vector<std::string>{"mars.step"}));
  std::size_t found = 0;
  for (const auto& each : with.find(selection("mars.param=2t and mars.step=6"))) found += each.index % 6 == 2;
  BOOST_TEST(found == 20u);
}

BOOST_AUTO_TEST_CASE(appended_messages_are_unknown_and_found) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", six_messages());
  write_index(file);
  append_file(file, six_messages());
  const tgmap::archive with(file);
  BOOST_TEST_REQUIRE(with.index_status().is_used);
  BOOST_TEST(found_messages(with, selection("mars.param=2t and mars.step=6")) == "2 8 ");
}

BOOST_AUTO_TEST_CASE(a_message_that_no_longer_matches_is_an_error) {
  const temporary_directory temporary;
  bytes data;
  const bytes six = six_messages();
  for (int k = 0; k < 2000; ++k) data += six;
  const auto file = temporary.file("a.tgm", data);
  write_index(file);
  // One value far from all samples that are compared at opening.
  const std::size_t message = data.size() / 2;
  const std::size_t param = data.find(cbor::text("param") + cbor::text("10u"), message);
  data.replace(data.find("10u", param), 3, "11u");
  const auto time = std::filesystem::last_write_time(file);
  write_file(file, data);
  std::filesystem::last_write_time(file, time);  // else the index is not current
  tgmap::failure why;
  const tgmap::archive with = tgmap::archive::open(file, {}, why);
  if (!with.index_status().is_used) return;  // a sample was there by chance
  const std::string found = found_messages(with, selection("mars.param=10u"));
  BOOST_TEST(found.find("does not belong") != found.npos, found.substr(0, 300));
}

BOOST_AUTO_TEST_CASE(without_an_index_all_is_unknown) {
  const bytes data = six_messages();
  const auto archive = open(data);
  for (const auto& each : {indexed_selection(), indexed_selection::of_messages(archive, selection("mars.param=2t")),
                           indexed_selection::of_messages(tgmap::archive(), selection("mars.param=2t"))}) {
    BOOST_TEST((each.answer(0) == index_answer::unknown));
    BOOST_TEST((each.answer(0, 0) == index_answer::unknown));
    BOOST_TEST(each.next(3) == 3u);
    BOOST_TEST(each.count(index_answer::yes) == 0u);
    BOOST_TEST(each.missing_keys().empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Keeping the index beside a file up to date.
#include <array>
#include <boost/test/unit_test.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/write/appender.hpp>
#include <thread>

#include "extended.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_trust;
using tgmap::index_use;

BOOST_AUTO_TEST_SUITE(write_index_test)

namespace {

std::vector<std::string> keys_of(const tgmap::index_summary& of) {
  std::vector<std::string> out;
  for (const auto& each : of.columns) out.push_back(each.key);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_index_is_made_and_then_extended) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", six_messages());
  const auto made = tgmap::write_index(file, {.keys = {"mars.step"}, .default_keys = false});
  BOOST_TEST(made.messages == 6u);
  append_file(file, six_messages());
  const auto extended = tgmap::write_index(file, {.keys = {"mars.param"}});
  BOOST_CHECK((keys_of(extended) == std::vector<std::string>{"mars.step"}));
  check_extended(file, extended);
}

BOOST_AUTO_TEST_CASE(an_appender_keeps_the_index_up_to_date) {
  const temporary_directory temporary;
  const auto file = temporary / "a.tgm";
  const bytes data = six_messages();
  const auto from = open(data);
  tgmap::appender to(file);
  std::uint64_t written = 0;
  for (int round = 0; round < 5; ++round)
    for (const tgmap::message& m : from) {
      to.write(m);
      BOOST_TEST(tgmap::write_index(file).messages == ++written);
      const tgmap::archive seen(file);
      BOOST_TEST(seen.index_status().is_used);
      BOOST_TEST(seen.size() == written);
    }
  check_extended(file, tgmap::write_index(file));
}

BOOST_AUTO_TEST_CASE(damaged_and_foreign_indexes_are_replaced) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(200));
  write_index(file);
  const bytes sound = read_file(index_path(file));
  for (std::size_t page = 0; page < sound.size() / 4096; ++page) {
    bytes damaged = sound;
    damaged[page * 4096 + 100] = static_cast<char>(damaged[page * 4096 + 100] ^ 1);
    write_file(index_path(file), damaged);
    check_extended(file, tgmap::write_index(file));
  }
  write_file(file, several(5, 30, 700));
  check_extended(file, tgmap::write_index(file));
}

BOOST_AUTO_TEST_CASE(other_files_are_not_replaced) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(3));
  write_file(index_path(file), mixed_archive(30));
  tgmap::failure why;
  tgmap::write_index(file, {}, why);
  TGMAP_FAILED(why, errc::not_an_index);
  BOOST_TEST(read_file(index_path(file)) == mixed_archive(30));
  tgmap::write_index(temporary / "absent", {}, why);
  BOOST_CHECK(why.code == std::errc::no_such_file_or_directory);
  BOOST_CHECK_THROW(tgmap::write_index(temporary / "absent"), tgmap::error);
}

BOOST_AUTO_TEST_CASE(two_at_once_both_end_well) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several(0, 20, 300));
  write_index(file);
  for (unsigned round = 0; round < 10; ++round) {
    append_file(file, several(20 + round, 1, 300));
    std::array<tgmap::failure, 3> failures;
    {
      std::vector<std::jthread> threads;
      for (tgmap::failure& why : failures) threads.emplace_back([&] { tgmap::write_index(file, {}, why); });
    }
    for (const tgmap::failure& why : failures) BOOST_TEST(!why, why.text());
  }
  const auto extended = tgmap::write_index(file);
  BOOST_TEST(extended.messages == 30u);
  check_extended(file, extended);
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}) == 2);
}

BOOST_AUTO_TEST_CASE(opening_makes_the_index_of_an_archive_that_has_grown_by_much_anew_with_its_keys) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", six_messages());
  tgmap::write_index(file, {.keys = {"absent"}, .default_keys = false});
  append_file(file, six_messages());
  const tgmap::archive opened(file, {.index = index_use::create});
  BOOST_TEST(opened.index_status().messages == 12u);
  BOOST_CHECK(opened.index_status().trust == index_trust::checked);  // everything was read
  const auto extended = tgmap::describe_index(index_path(file));
  BOOST_CHECK((keys_of(extended) == std::vector<std::string>{"absent"}));
  check_extended(file, extended);
}

BOOST_AUTO_TEST_CASE(opening_makes_an_index_anew_if_the_old_one_is_damaged_inside) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several(0, 300, 50));
  write_index(file);
  bytes index = read_file(index_path(file));
  index[4096 + 50] = static_cast<char>(index[4096 + 50] ^ 1);
  write_file(index_path(file), index);
  append_file(file, several(300, 300, 50));
  const tgmap::archive opened(file, {.index = index_use::create});
  BOOST_CHECK(opened.index_status().trust == index_trust::checked);
  BOOST_TEST(opened.index_status().messages == 600u);
  check_extended(file, tgmap::describe_index(index_path(file)));
}

BOOST_AUTO_TEST_SUITE_END()

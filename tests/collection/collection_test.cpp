// SPDX-License-Identifier: Apache-2.0
// Many archives as one sequence: numbers, addresses, and which archives are open.
#include <sys/resource.h>
#include <sys/stat.h>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <stdexcept>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/tools/collection.hpp>
#include <thread>

#include "numbered_fields.hpp"

using namespace tgmap_test;
using tgmap::collection;
using tgmap::collection_address;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(collections)

namespace {

/// A folder with three archives of 2, 0 and 3 messages.
struct three_archives {
  temporary_directory files{};
  std::filesystem::path a = files.file("a.tgm", field_archive("2t", {0, 6}));
  std::filesystem::path b = files.file("b.tgm", "");
  std::filesystem::path c = files.file("c.tgm", field_archive("10u", {12, 18, 24}));
  std::vector<tgmap::archive_place> places{{a}, {b}, {c}};
};

std::int64_t step_of(const tgmap::collected_message& m) {
  return m.message[0].metadata().find("step").value().get<std::int64_t>().value();
}

/// Allows few open files as long as it lives.
class few_descriptors {
 public:
  explicit few_descriptors(rlim_t most) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit now{most, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &now);
  }
  ~few_descriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_program_may_open_the_archives_itself, three_archives) {
  std::string opened;
  const auto open = [&](std::size_t number, const tgmap::open_options& options, tgmap::failure& why) {
    opened += std::to_string(number) + " ";
    if (number == 1) throw std::runtime_error("not this one");
    return tgmap::archive::open(places[number].path, options, why);
  };
  const collection all(places, {.max_open = 1, .opener = open});
  BOOST_TEST(step_of(all[{.archive = 2, .message = 1}]) == 18);
  BOOST_TEST(step_of(all[{.archive = 2, .message = 2}]) == 24);
  BOOST_TEST(step_of(all[{.archive = 0, .message = 1}]) == 6);
  BOOST_CHECK_THROW(static_cast<void>(all.archive(1)), std::runtime_error);
  BOOST_TEST(step_of(all[{.archive = 2, .message = 0}]) == 12);
  BOOST_TEST(opened == "2 0 1 2 ");
  BOOST_TEST(all.open_count() == 1U);
  opened.clear();
  const collection open_all(places, {.max_open = SIZE_MAX, .opener = open});
  for (int i = 0; i < 2; ++i)
    for (const std::size_t archive : {0, 2}) BOOST_TEST(step_of(open_all[{archive, 0}]) == (archive == 0 ? 0 : 12));
  BOOST_TEST(opened == "0 2 ");
}

BOOST_AUTO_TEST_CASE(an_empty_collection_has_nothing) {
  const collection none;
  BOOST_TEST(none.archive_count() == 0U);
  BOOST_TEST(none.size() == 0U);
  BOOST_TEST(none.failures().empty());
  BOOST_TEST(none.find().addresses.empty());
  TGMAP_THROWS(none[0], errc::out_of_range);
  TGMAP_THROWS(none.archive(0), errc::out_of_range);
  TGMAP_THROWS(none.text_of({}), errc::out_of_range);
}

BOOST_FIXTURE_TEST_CASE(messages_of_all_archives_are_one_sequence, three_archives) {
  const collection all(places);
  BOOST_TEST(all.open_count() == 0U);
  BOOST_TEST(step_of(all[1]) == 6);
  BOOST_TEST(all.open_count() == 1U);  // nothing else was needed
  BOOST_TEST(all.size() == 5U);
  BOOST_TEST(all.size_of(1) == 0U);
  BOOST_TEST(step_of(all[4]) == 24);
  TGMAP_THROWS(all[5], errc::out_of_range);
  TGMAP_THROWS(all.size_of(3), errc::out_of_range);
  for (std::size_t i = 0; i < all.size(); ++i) BOOST_TEST(all.number_of(all.address_of(i)) == i);
  BOOST_TEST((all.address_of(2) == collection_address{2, 0}));
  TGMAP_THROWS(all.number_of({2, 3}), errc::out_of_range);
  TGMAP_THROWS(all.number_of({3, 0}), errc::out_of_range);
  BOOST_TEST(step_of(all[collection_address{2, 1}]) == 18);
}

BOOST_FIXTURE_TEST_CASE(addresses_are_text_of_the_command, three_archives) {
  const collection all(places);
  const std::string third = c.string() + ":2:0";
  BOOST_TEST(all.text_of({2, 2, 0}) == third);
  BOOST_TEST(all.text_of({2, 2}) == c.string() + ":2");
  BOOST_TEST((all.parse_address(third) == collection_address{2, 2, 0}));
  BOOST_TEST((all.parse_address(c.string() + ":-3") == collection_address{2, 0}));
  BOOST_TEST((all.parse_address(c.string() + ":0:-1") == collection_address{2, 0, 0}));
  BOOST_TEST((all.parse_address(c.string() + "@0") == collection_address{2, 0}));
  TGMAP_THROWS(all.parse_address(c.string() + ":3"), errc::out_of_range);
  TGMAP_THROWS(all.parse_address(c.string() + ":-4"), errc::out_of_range);
  TGMAP_THROWS(all.parse_address(c.string() + ":0:1"), errc::out_of_range);
  for (const std::string& wrong : {c.string(), c.string() + ":0..1", c.string() + ":0:0..", std::string("gone:0"),
                                   c.string() + ":x", c.string() + ":0:"})
    TGMAP_THROWS(all.parse_address(wrong), errc::bad_address);
}

BOOST_AUTO_TEST_CASE(places_are_parts_of_files) {
  const temporary_directory files;
  const bytes one = field_message({"2t"}, 0), two = field_message({"10u"}, 600);
  const auto path = files.file("fdb.data", "head" + one + two);
  const collection all({{path, 4 + one.size(), two.size()}, {path, 4, one.size()}});
  BOOST_TEST(all.size() == 2U);
  BOOST_TEST(step_of(all[0]) == 600);
  BOOST_TEST(step_of(all[1]) == 0);
  const std::string text = all.text_of({0, 0, 0});
  BOOST_TEST(text == path.string() + "@" + std::to_string(4 + one.size()) + ":0");
  BOOST_TEST((all.parse_address(text) == collection_address{0, 0, 0}));
  BOOST_TEST((all.parse_address(path.string() + "@4") == collection_address{1, 0}));
  TGMAP_THROWS(all.parse_address(path.string() + "@3"), errc::bad_address);
}

BOOST_AUTO_TEST_CASE(few_archives_are_open_at_a_time) {
  const temporary_directory files;
  std::vector<tgmap::archive_place> places;
  for (int i = 0; i < 600; ++i)
    places.push_back({files.file("f" + std::to_string(i) + ".tgm", field_archive("2t", {i}))});
  const collection all(places, {.max_open = 8});
  const few_descriptors limit(64);
  BOOST_TEST(all.size() == 600U);
  BOOST_TEST(all.open_count() == 8U);
  for (std::size_t i : {599U, 0U, 300U, 1U}) BOOST_TEST(step_of(all[i]) == static_cast<std::int64_t>(i));
  const auto found = all.find({.where = tgmap::selection("step>=100"), .sort = {{tgmap::metadata_key("step"), true}}});
  BOOST_REQUIRE(found.addresses.size() == 500U);
  BOOST_TEST(found.failures.empty());
  BOOST_TEST((found.addresses.front() == collection_address{599, 0}));
  std::int64_t before = 600;
  const auto failures =
      all.visit({.where = tgmap::selection("step>=100"), .sort = {{tgmap::metadata_key("step"), true}}},
                [&](const tgmap::collected_message& m, tgmap::key_lookup&) {
                  BOOST_TEST(step_of(m) == --before);
                  return true;
                });
  BOOST_TEST(failures.empty());
  BOOST_TEST(before == 100);
  BOOST_TEST(all.open_count() == 8U);
}

BOOST_FIXTURE_TEST_CASE(the_archive_used_least_recently_is_closed, three_archives) {
  const collection all(places, {.max_open = 2});
  static_cast<void>(all.archive(0));
  static_cast<void>(all.archive(1));
  static_cast<void>(all.archive(0));
  static_cast<void>(all.archive(2));  // closes b
  BOOST_TEST(all.open_count() == 2U);
  std::filesystem::remove(a);
  BOOST_TEST(all.archive(0).size() == 2U);  // still open
  std::filesystem::remove(b);
  tgmap::failure why;
  static_cast<void>(all.archive(1, why));
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
}

BOOST_FIXTURE_TEST_CASE(views_stay_when_their_archive_is_closed, three_archives) {
  const collection all(places, {.max_open = 1});
  tgmap::array_view<float> view;
  tgmap::pin pin;
  {
    const tgmap::collected_message first = all[0];
    view = first.message[0].view<float>();
    pin = first.archive.pin();
  }
  const tgmap::collected_message kept = all[1];
  static_cast<void>(all.archive(2));
  static_cast<void>(all.archive(1));
  BOOST_TEST(all.open_count() == 1U);
  BOOST_TEST(view(1) == 2.0F);
  BOOST_TEST(step_of(kept) == 6);
}

BOOST_AUTO_TEST_CASE(a_damaged_file_does_not_disturb_the_others) {
  const temporary_directory files;
  const bytes one = field_message({"2t"}, 0);
  const auto sound = files.file("sound.tgm", field_archive("2t", {0, 6}));
  const auto damaged = files.file("damaged.tgm", one + "junk" + one + one.substr(0, one.size() - 30));
  const auto other = files.file("other.txt", "this is not an archive at all");
  const collection all({{files / "gone.tgm"}, {damaged}, {other}, {sound}});
  BOOST_TEST(all.size() == 4U);
  BOOST_TEST(step_of(all[3]) == 6);
  const auto failures = all.failures();
  BOOST_REQUIRE(failures.size() == 3U);
  BOOST_TEST(failures[0].archive == 0U);
  BOOST_TEST(failures[0].path == files / "gone.tgm");
  BOOST_TEST((failures[0].cause.code == std::errc::no_such_file_or_directory));
  BOOST_TEST(failures[1].path == damaged);
  BOOST_TEST(failures[1].count == 2U);
  BOOST_TEST((failures[1].cause.code == errc::not_a_message));
  BOOST_TEST(failures[2].path == other);

  const auto found = all.find({.where = tgmap::selection("step=0")});
  BOOST_TEST(found.addresses.size() == 3U);
  BOOST_TEST(found.failures.size() == 3U);

  const tgmap::collection_survey content = tgmap::survey(all);
  BOOST_TEST(content.total.messages == 4U);
  BOOST_TEST(content.failures.size() == 3U);
  BOOST_TEST(content.total.content->keys.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_replaced_is_not_taken_for_the_first_one, three_archives) {
  const collection all(places, {.max_open = 1});
  const tgmap::collected_message kept = all[1];
  static_cast<void>(all.size());  // closes a
  write_file(files / "new.tgm", field_archive("msl", {99, 98}));
  std::filesystem::rename(files / "new.tgm", a);
  tgmap::failure why;
  static_cast<void>(all.at(0, why));
  TGMAP_FAILED(why, errc::archive_changed);
  BOOST_TEST(step_of(kept) == 6);
  BOOST_TEST(step_of(all[2]) == 12);
  const auto failures = all.failures();
  BOOST_REQUIRE(failures.size() == 1U);
  BOOST_TEST((failures[0].cause.code == errc::archive_changed));
}

BOOST_FIXTURE_TEST_CASE(what_is_appended_later_is_not_seen, three_archives) {
  const collection all(places, {.max_open = 1});
  BOOST_TEST(all.size() == 5U);
  append_file(a, field_archive("2t", {777}));
  BOOST_TEST(all.archive(0).size() == 2U);
  BOOST_TEST(step_of(all[1]) == 6);
  BOOST_TEST(all.find().addresses.size() == 5U);
  std::filesystem::resize_file(c, 100);
  static_cast<void>(all.archive(0));
  TGMAP_THROWS(all.archive(2), errc::archive_changed);
}

BOOST_FIXTURE_TEST_CASE(a_pipe_stays_open, three_archives) {
  const auto pipe = files / "pipe";
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] { write_file(pipe, field_archive("2t", {5})); });
  const collection all({{pipe}, {a}, {c}}, {.max_open = 1});
  BOOST_TEST(step_of(all[0]) == 5);
  writer.join();
  BOOST_TEST(all.size() == 6U);
  BOOST_TEST(step_of(all[0]) == 5);
  BOOST_TEST(all.open_count() == 2U);
}

BOOST_AUTO_TEST_CASE(options_that_say_where_an_archive_is_are_refused) {
  tgmap::failure why;
  for (const tgmap::collection_options& wrong : {tgmap::collection_options{.open = {.offset = 1}},
                                                 {.open = {.length = 1}},
                                                 {.open = {.index_path = "x"}},
                                                 {.max_open = 0}}) {
    const collection none = collection::open({{"f"}}, wrong, why);
    TGMAP_FAILED(why, errc::invalid_option);
    BOOST_TEST(why.argument != nullptr);
    BOOST_TEST(none.archive_count() == 0U);
  }
}

BOOST_FIXTURE_TEST_CASE(threads_may_share_a_collection, three_archives) {
  const auto executor = tgmap::make_thread_executor(2);
  const collection all(places, {.max_open = 1, .executor = executor.get()});
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 40; ++i) {
        const std::size_t n = (i + static_cast<std::size_t>(t)) % 5;
        if (step_of(all[n]) != static_cast<std::int64_t>(6 * n)) ++wrong;
        if (all.size() != 5) ++wrong;
      }
    });
  for (std::thread& each : threads) each.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(all.open_count() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
#include "io/file_stamp.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <support/temporary.hpp>

#include "io/file.hpp"

using namespace tgmap::io;
using tgmap_test::temporary_directory;

BOOST_AUTO_TEST_SUITE(file_stamp_test)

namespace {

constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t some_time = 1'700'000'000 * second;

std::uint64_t now() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
}

void set_time(const std::filesystem::path& path, std::uint64_t time) {
  const ::timespec when{static_cast<::time_t>(time / second), static_cast<long>(time % second)};
  const ::timespec both[] = {when, when};
  BOOST_REQUIRE(::utimensat(AT_FDCWD, path.c_str(), both, 0) == 0);
}

file opened(const std::filesystem::path& path) {
  tgmap::failure why;
  file out = file::open(path, why);
  BOOST_REQUIRE(!why);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_time_has_the_resolution_of_its_last_digit) {
  BOOST_TEST(resolution_of(some_time) == second);
  BOOST_TEST(resolution_of(some_time + 1) == 1u);
  BOOST_TEST(resolution_of(some_time + 120) == 10u);
  BOOST_TEST(resolution_of(some_time + 4'000'000) == 1'000'000u);
  BOOST_TEST(resolution_of(some_time + 500'000'000) == 100'000'000u);
}

BOOST_AUTO_TEST_CASE(times_that_tools_set_say_nothing) {
  for (const std::uint64_t epoch : {std::uint64_t{0}, std::uint64_t{315'532'800}, std::uint64_t{946'684'800}}) {
    BOOST_TEST(!says_something(epoch * second));
    BOOST_TEST(!says_something((epoch + 1) * second));
    BOOST_TEST(!says_something((epoch + 59) * second + 999'999'999));
    BOOST_TEST(says_something((epoch + 60) * second));
  }
  BOOST_TEST(says_something(some_time));
}

BOOST_AUTO_TEST_CASE(states_are_compared_at_the_coarser_resolution) {
  const file_stamp fine{.size = 5, .time = some_time + 123'456'789}, coarse{.size = 5, .time = some_time};
  BOOST_TEST(is_same_state(fine, fine));
  BOOST_TEST(is_same_state(fine, coarse));
  BOOST_TEST(is_same_state(coarse, fine));
  BOOST_TEST(is_same_state(fine, {.size = 5, .time = some_time + 123'456'000}));
  BOOST_TEST(!is_same_state(fine, {.size = 5, .time = some_time + 123'457'000}));
  BOOST_TEST(!is_same_state(fine, {.size = 5, .time = fine.time + 1}));
  BOOST_TEST(!is_same_state(fine, {.size = 6, .time = fine.time}));
  BOOST_TEST(!is_same_state(coarse, {.size = 5, .time = some_time + second}));
  BOOST_TEST(!is_same_state({.size = 5, .time = 0}, {.size = 5, .time = 0}));
}

BOOST_AUTO_TEST_CASE(a_stamp_is_given_once_the_clock_has_moved_on) {
  const temporary_directory temporary;
  const auto path = temporary.file("a", "12345");
  const auto stamp = settled_stamp(opened(path));
  BOOST_REQUIRE(stamp.has_value());
  BOOST_TEST(stamp->size == 5u);
  BOOST_TEST(now() >= stamp->time + 20'000'000);
  tgmap_test::write_file(path, "54321");
  BOOST_TEST(opened(path).stamp()->time > stamp->time);
}

BOOST_AUTO_TEST_CASE(old_files_are_not_waited_for) {
  const temporary_directory temporary;
  const auto path = temporary.file("a", "12345");
  set_time(path, some_time);
  const std::uint64_t before = now();
  for (int i = 0; i < 100; ++i) BOOST_TEST(settled_stamp(opened(path)).has_value());
  BOOST_TEST(now() - before < 2 * second);
}

BOOST_AUTO_TEST_CASE(whole_seconds_are_waited_for_longer) {
  const temporary_directory temporary;
  const auto path = temporary.file("a", "12345");
  set_time(path, now() / second * second);
  const auto stamp = settled_stamp(opened(path));
  BOOST_REQUIRE(stamp.has_value());
  BOOST_TEST(now() >= stamp->time + 2 * second);
}

BOOST_AUTO_TEST_CASE(times_in_the_future_and_those_that_say_nothing_have_no_stamp) {
  const temporary_directory temporary;
  const auto path = temporary.file("a", "12345");
  for (const std::uint64_t time : {now() + 3600 * second, std::uint64_t{0}, std::uint64_t{second}}) {
    set_time(path, time);
    BOOST_TEST(!settled_stamp(opened(path)).has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()

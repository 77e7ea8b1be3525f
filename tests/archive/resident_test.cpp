// SPDX-License-Identifier: Apache-2.0
// io_mode::read: which bytes are kept in memory, and how many.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(resident_test)

namespace {

bytes two_large_objects() {
  message_spec spec;
  spec.objects = {bytes_object(payload_of(1, 100000)), bytes_object(payload_of(2, 100000)),
                  bytes_object(payload_of(3, 10))};
  return message(spec);
}

}  // namespace

BOOST_AUTO_TEST_CASE(payloads_keep_their_addresses) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", two_large_objects()), {.io = tgmap::io_mode::read});
  const auto object = archive[0][0];
  const auto first = object.payload();
  const auto again = archive[0][0].payload();
  BOOST_TEST(static_cast<const void*>(first.data()) == static_cast<const void*>(again.data()));
  BOOST_TEST((view_of(first) == payload_of(1, 100000)));
}

BOOST_AUTO_TEST_CASE(beyond_the_limit_payloads_can_still_be_copied) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", two_large_objects()),
                               {.io = tgmap::io_mode::read, .max_resident_bytes = 150000});
  BOOST_TEST((view_of(archive[0][0].payload()) == payload_of(1, 100000)));
  tgmap::failure why;
  const auto second = archive[0][1];
  BOOST_TEST(second.payload(why).empty());
  TGMAP_FAILED(why, tgmap::errc::resident_limit);
  BOOST_TEST(why.expected == 150000u);
  BOOST_TEST(why.found > 150000u);
  BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::limit)));
  (void)second.view<std::uint8_t>(why);
  TGMAP_FAILED(why, tgmap::errc::resident_limit);
  bytes copy(100000, '?');
  second.read(0, std::as_writable_bytes(std::span(copy)));
  BOOST_TEST((copy == payload_of(2, 100000)));
  BOOST_TEST(second.verify() == tgmap::hash_result::match);
  BOOST_TEST((view_of(archive[0][2].payload()) == payload_of(3, 10)));
  BOOST_TEST((view_of(archive[0][0].payload()) == payload_of(1, 100000)));
}

BOOST_AUTO_TEST_CASE(the_limit_does_not_touch_a_mapping) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", two_large_objects()),
                               {.io = tgmap::io_mode::map, .max_resident_bytes = 0});
  BOOST_TEST((view_of(archive[0][1].payload()) == payload_of(2, 100000)));
  BOOST_TEST(archive[0].bytes().size() > 200000u);
}

BOOST_AUTO_TEST_CASE(lost_bytes_are_an_error_and_not_a_signal) {
  const temporary_directory temporary;
  const bytes data = numbered(0) + two_large_objects();
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const auto path = temporary.file("a.tgm", data);
    const tgmap::archive archive(path, {.io = mode});
    BOOST_TEST(archive.size() == 2u);
    const auto object = archive[1][1];
    std::filesystem::resize_file(path, 50000);
    BOOST_TEST_CONTEXT(mode) {
      bytes copy(object.payload_size(), '?');
      tgmap::failure why;
      object.read(0, std::as_writable_bytes(std::span(copy)), why);
      TGMAP_FAILED(why, tgmap::errc::file_shrank);
      BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::truncated) ||
                  why.code == tgmap::make_error_condition(tgmap::condition::io)));
      (void)object.verify(why);
      TGMAP_FAILED(why, tgmap::errc::file_shrank);
      BOOST_TEST(static_cast<bool>(archive.prefetch(object)));
    }
  }
}

BOOST_AUTO_TEST_CASE(prefetching_succeeds) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", two_large_objects());
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const tgmap::archive archive(path, {.io = mode});
    TGMAP_SUCCEEDED(archive.prefetch(archive[0][0]));
    BOOST_TEST((view_of(archive[0][0].payload()) == payload_of(1, 100000)));
  }
}

BOOST_AUTO_TEST_SUITE_END()

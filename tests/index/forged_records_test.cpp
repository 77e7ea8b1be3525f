// SPDX-License-Identifier: Apache-2.0
// Indexes with right checksums whose records contradict each other: an error, or the answers of a scan. Work by them is
// in proportion to the archive.
#include <boost/test/unit_test.hpp>
#include <support/forged/forged_index.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>

#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_use;
using tgmap::selection;

BOOST_AUTO_TEST_SUITE(forged_records_test)

namespace {

constexpr std::size_t object_numbers_at = 16, kind_at = 80;  // in records of messages and of columns

/// Reads messages, and returns the bytes of those that are there. Each of the others is an index_mismatch.
std::uint64_t bytes_of_messages(const tgmap::archive& in, std::size_t step) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < in.size(); i += step) {
    tgmap::failure why;
    const tgmap::message m = in.at(i, why);
    if (why)
      TGMAP_FAILED(why, errc::index_mismatch);
    else
      out += m.length();
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_message_that_is_listed_many_times_is_read_once) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", numbered(0, 3, 20'000) + numbered_archive(600));
  const tgmap::archive scanned(file, {.index = index_use::none});
  const std::uint64_t length = scanned[0].length(), size = scanned.size_bytes();
  forged_index forged(index_of(scanned));
  for (std::uint64_t i = 1; i <= 600; ++i) forged.copy(index_section::messages, 0, i);
  write_file(index_path(file), forged.sealed());
  {
    const tgmap::archive with(file);
    BOOST_REQUIRE(with.index_status().is_used);
    BOOST_TEST(bytes_of_messages(with, 1) == 0u);
  }

  // Two records between two of them let each agree with its neighbours: one that follows it, and one that ends before
  // it.
  for (std::uint64_t i = 0; i <= 600; ++i) {
    if (i % 3 == 0) continue;
    forged.set(index_section::messages, i, 0, i % 3 == 1 ? length : 0);
    forged.set(index_section::messages, i, 8, 0);
    forged.set(index_section::messages, i, object_numbers_at, i % 3 == 1 ? 1 : 0);
  }
  write_file(index_path(file), forged.sealed());
  const tgmap::archive with(file);
  BOOST_REQUIRE(with.index_status().is_used);
  const std::uint64_t found = bytes_of_messages(with, 3);
  BOOST_TEST(found >= length);
  BOOST_TEST(found <= size);
  BOOST_TEST(bytes_of_messages(with.reopen(), 3) <= size);
}

BOOST_AUTO_TEST_CASE(a_hidden_message_is_noticed_beside_it) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", numbered_archive(9));
  const tgmap::archive scanned(file, {.index = index_use::none});
  write_file(index_path(file), hiding_message(index_of(scanned), 4));
  const tgmap::archive with(file);
  BOOST_REQUIRE(with.index_status().is_used);
  for (std::size_t i = 0; i < 8; ++i) {
    tgmap::failure why;
    const auto m = with.at(i, why);
    if (i == 3 || i == 4) {
      TGMAP_FAILED(why, errc::index_mismatch);
      BOOST_TEST(why.offset == scanned[4].offset());
      BOOST_TEST(why.expected == scanned[4].offset());
      BOOST_TEST(why.found == scanned[5].offset());
    } else {
      TGMAP_SUCCEEDED(why);
      BOOST_TEST(m.offset() == scanned[i < 4 ? i : i + 1].offset());
    }
  }
}

BOOST_AUTO_TEST_CASE(gaps_that_overlap_messages_are_refused_at_once) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", numbered_archive(3) + "garbage" + numbered_archive(3));
  const tgmap::archive scanned(file, {.damage = tgmap::on_damage::skip, .index = index_use::none});
  const forged_index sound(index_of(scanned));
  const std::uint64_t begin = sound.get(index_section::gaps, 0, 0), end = sound.get(index_section::gaps, 0, 8);
  BOOST_TEST(end - begin == 7u);
  const auto refused = [&](std::size_t at, std::uint64_t number) {
    forged_index forged = sound;
    forged.set(index_section::gaps, 0, at, number);
    write_file(index_path(file), forged.sealed());
    const tgmap::archive with(file, {.damage = tgmap::on_damage::skip});
    TGMAP_FAILED(with.index_status().refusal, errc::index_mismatch);
    BOOST_TEST(with.size() == 6u);
  };
  refused(0, begin - 1);
  refused(0, 0);
  refused(8, end + 1);
  refused(8, scanned.size_bytes());
  refused(16, 2);
  refused(16, 4);
}

// Objects of this file have different values, so rows of the columns are objects.
BOOST_AUTO_TEST_CASE(counts_by_forged_numbers_of_objects_do_not_overflow) {
  const temporary_directory temporary;
  bytes data;
  for (int k = 0; k < 50; ++k) data += two_named_objects();
  const auto file = temporary.file("a.tgm", data);
  const tgmap::archive scanned(file, {.index = index_use::none});
  const forged_index sound(index_of(scanned));
  const selection wanted("name=a or name=b or x<7");
  std::size_t errors = 0;
  for (std::uint64_t i = 0; i < 50; i += 7)
    for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{99}, 2 * i + 1, (std::uint64_t{1} << 40) - 1}) {
      if (first == 2 * i) continue;
      forged_index forged = sound;
      forged.set(index_section::messages, i, object_numbers_at, first | std::uint64_t{2} << 40);
      write_file(index_path(file), forged.sealed());
      const tgmap::archive with(file);
      tgmap::failure why;
      const auto known = tgmap::indexed_selection::of_objects(with, wanted, why);
      errors += static_cast<bool>(why);
      if (why) {
        TGMAP_FAILED(why, errc::index_mismatch);
        continue;
      }
      using enum tgmap::index_answer;
      BOOST_TEST(known.count(yes) + known.count(no) + known.count(unknown) == 100u);
      for (std::size_t m = 0; m < 50; ++m) BOOST_TEST(known.next(m) >= m);
    }
  BOOST_TEST(errors > 0u);
}

// Objects of this file have no keys of their own, so rows of the columns are messages. The record 3, which no answer
// needs, lets each of the others agree with its neighbours.
BOOST_AUTO_TEST_CASE(no_more_objects_are_counted_than_there_are) {
  const temporary_directory temporary;
  bytes data;
  for (unsigned i = 0; i < 8; ++i)
    data += message({.objects = {bytes_object(payload_of(i, 2000))},
                     .base = {cbor::map({cbor::key("x", cbor::unsigned_integer(i % 4 == 0 ? 7 : i))})}});
  const auto file = temporary.file("a.tgm", data);
  forged_index forged(index_of(tgmap::archive(file, {.index = index_use::none})));
  const auto set = [&](std::uint64_t i, std::uint64_t first, std::uint64_t objects) {
    forged.set(index_section::messages, i, object_numbers_at, first | objects << 40);
  };
  set(0, 0, 5);
  set(1, 5, 1);
  set(2, 6, 1);
  set(3, 0, 1);
  set(4, 1, 4);
  write_file(index_path(file), forged.sealed());
  const tgmap::archive with(file);
  BOOST_REQUIRE(with.index_status().is_used);
  tgmap::failure why;
  static_cast<void>(tgmap::indexed_selection::of_objects(with, selection("x=7"), why));
  TGMAP_FAILED(why, errc::index_mismatch);
  BOOST_TEST(why.message == 4u);
  BOOST_TEST(why.expected == 3u);
}

BOOST_AUTO_TEST_CASE(columns_of_unknown_kinds_are_skipped) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", six_messages() + two_named_objects());
  const tgmap::archive scanned(file, {.index = index_use::none});
  const forged_index sound(index_of(scanned));
  const std::uint64_t columns = sound.count(index_section::columns);
  BOOST_REQUIRE(columns > 2u);
  for (std::uint64_t k = 0; k < columns; ++k) {
    forged_index forged = sound;
    // Without the values of objects, those of messages would hold for all of them.
    const bool is_of_objects = (sound.get(index_section::columns, k, kind_at) & UINT32_MAX) == 2;
    forged.set(index_section::columns, k, kind_at, 77);
    forged.set(index_section::columns, k, 8, UINT64_MAX);       // the size of its name
    forged.set(index_section::columns, k, 16, UINT64_MAX / 2);  // its first row
    forged.set(index_section::columns, k, 72, UINT64_MAX);      // its bytes
    write_file(index_path(file), forged.sealed());
    BOOST_TEST(tgmap::describe_index(index_path(file)).covered_bytes == scanned.size_bytes());
    const tgmap::archive with(file);
    BOOST_TEST(with.index_status().is_used);
    for (const char* const text : {"mars.param=2t", "name=a", "not has unit", "mars.step>=6 or x<2"}) {
      const selection wanted(text);
      std::vector<std::size_t> found, expected;
      for (const auto& each : with.find(wanted)) found.push_back(each.index);
      for (const auto& each : scanned.find(wanted)) expected.push_back(each.index);
      if (!is_of_objects) BOOST_TEST(found == expected, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

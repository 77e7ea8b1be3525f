// SPDX-License-Identifier: Apache-2.0
#include "index_file/row_list.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <support/bytes.hpp>

using namespace tgmap_test;
using tgmap::index_file::row_list;
using tgmap::index_file::row_list_reader;
using tgmap::index_file::row_run;

BOOST_AUTO_TEST_SUITE(row_list_test)

namespace {

using runs = std::vector<row_run>;

bytes packed(const runs& rows) {
  row_list list;
  for (const row_run each : rows) list.add(each);
  return bytes(view_of(list.finish()));
}

/// Returns the runs of a list, or nothing if it is damaged.
std::optional<runs> unpacked(const bytes& list, std::uint64_t rows) {
  row_list_reader reader(span_of(list), rows);
  runs out;
  for (row_run run; reader.next(run);) out.push_back(run);
  if (reader.is_damaged()) return std::nullopt;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_bytes_are_those_of_the_format) {
  BOOST_TEST(packed({}) == "");
  BOOST_TEST(packed({{0, 1}}) == bytes("\0", 1));
  BOOST_TEST(packed({{3, 6}, {9, 10}}) == bytes("\x07\x01\x06"));
  BOOST_TEST(packed({{0, 2}}) == bytes("\x01\0", 2));
  BOOST_TEST(packed({{64, 65}}) == bytes("\x80\x01"));
  BOOST_TEST(packed({{0, 1'000'000}}).size() == 4u);
}

BOOST_AUTO_TEST_CASE(consecutive_rows_are_one_run) {
  BOOST_TEST(packed({{3, 4}, {4, 5}, {5, 6}, {9, 10}}) == packed({{3, 6}, {9, 10}}));
  row_list list;
  list.add({0, 3});
  list.add({7, 8});
  BOOST_TEST(list.count() == 4u);
}

BOOST_AUTO_TEST_CASE(any_rows_come_back) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    runs rows;
    std::uint64_t at = 0;
    for (std::uint64_t k = random() % 30; k > 0; --k) {
      at += (rows.empty() ? 0 : 1) + (random() >> random() % 64) % (std::uint64_t{1} << 50);
      const std::uint64_t end = at + 1 + (random() >> random() % 64) % (std::uint64_t{1} << 40);
      rows.push_back({at, end});
      at = end;
    }
    const auto back = unpacked(packed(rows), at);
    BOOST_TEST_REQUIRE(back.has_value());
    BOOST_TEST((*back == rows));
    if (!rows.empty()) BOOST_TEST(!unpacked(packed(rows), at - 1).has_value());
  }
}

BOOST_AUTO_TEST_CASE(rows_beyond_the_end_are_damage) {
  BOOST_TEST(unpacked(packed({{3, 6}}), 6).has_value());
  BOOST_TEST(!unpacked(packed({{3, 6}}), 5).has_value());
  BOOST_TEST(!unpacked(packed({{3, 4}}), 3).has_value());
  BOOST_TEST(!unpacked(packed({{0, 1}}), 0).has_value());
  BOOST_TEST(!unpacked(bytes("\x01"), 100).has_value());                     // the length is missing
  BOOST_TEST(!unpacked(bytes(9, '\xff'), UINT64_MAX).has_value());           // a number without an end
  BOOST_TEST(!unpacked(bytes(8, '\xff') + "\x7f", UINT64_MAX).has_value());  // more than there is
  BOOST_TEST(!unpacked("\x01" + bytes(8, '\xff') + "\x7f", 1000).has_value());
}

BOOST_AUTO_TEST_CASE(any_bytes_give_ascending_rows_or_damage) {
  std::mt19937 random(7);
  std::size_t sound = 0;
  for (int round = 0; round < 20'000; ++round) {
    bytes list;
    for (unsigned k = 0; k < random() % 12; ++k) list += static_cast<char>(random());
    const auto rows = unpacked(list, 1000);
    if (!rows) continue;
    ++sound;
    std::uint64_t end = 0;
    for (const row_run each : *rows) {
      BOOST_TEST((each.begin >= end && each.end > each.begin && each.end <= 1000u));
      end = each.end;
    }
  }
  BOOST_TEST(sound > 1000u);
}

BOOST_AUTO_TEST_SUITE_END()

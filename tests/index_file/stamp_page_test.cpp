// SPDX-License-Identifier: Apache-2.0
#include "index_file/stamp_page.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstring>

using namespace tgmap::index_file;
using tgmap::io::file_stamp;

BOOST_AUTO_TEST_SUITE(stamp_page_test)

namespace {

constexpr std::uint64_t some_time = 1'700'000'000'000'000'001;

std::array<std::byte, page_size> stored(const stamp_page& page) {
  std::array<std::byte, page_size> out{};
  page.store(out);
  return out;
}

std::size_t count_in(const std::array<std::byte, page_size>& bytes) {
  const auto page = stamp_page::load(bytes);
  return page.all().size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(stamps_come_back) {
  stamp_page page;
  page.add({.size = 5, .time = some_time});
  page.add({.size = 6, .time = some_time + 1});
  page.add({.size = 5, .time = some_time});
  const auto bytes = stored(page);
  BOOST_TEST(std::memcmp(bytes.data(), "TGMSTAMP\2\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0", 24) == 0);
  const auto loaded = stamp_page::load(bytes);
  BOOST_REQUIRE(loaded.all().size() == 2u);
  BOOST_TEST((loaded.all()[0] == file_stamp{5, some_time}));
  BOOST_TEST((loaded.all()[1] == file_stamp{6, some_time + 1}));
  BOOST_TEST(loaded.contains({.size = 6, .time = some_time + 1}));
  BOOST_TEST(!loaded.contains({.size = 6, .time = some_time}));
  BOOST_TEST(!loaded.contains({.size = 7, .time = some_time}));
}

BOOST_AUTO_TEST_CASE(a_full_page_loses_its_oldest_stamp) {
  stamp_page page;
  for (std::uint64_t i = 0; i <= stamp_page::capacity; ++i) page.add({.size = i, .time = some_time + i});
  const auto loaded = stamp_page::load(stored(page));
  BOOST_TEST(loaded.all().size() == 254u);
  BOOST_TEST(!loaded.contains({.size = 0, .time = some_time}));
  BOOST_TEST(loaded.contains({.size = 1, .time = some_time + 1}));
  BOOST_TEST(loaded.contains({.size = 254, .time = some_time + 254}));
}

BOOST_AUTO_TEST_CASE(other_pages_and_impossible_counts_have_no_stamps) {
  stamp_page page;
  page.add({.size = 5, .time = some_time});
  auto bytes = stored(page);
  bytes[0] ^= std::byte{1};
  BOOST_TEST(count_in(bytes) == 0u);
  bytes[0] ^= std::byte{1};
  bytes[8] = std::byte{255};
  BOOST_TEST(count_in(bytes) == 0u);
  bytes[15] = std::byte{255};
  BOOST_TEST(count_in(bytes) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
#include "index_file/page.hpp"

#include <array>
#include <boost/test/unit_test.hpp>

using namespace tgmap::index_file;

BOOST_AUTO_TEST_SUITE(page_test)

namespace {

std::array<std::byte, page_size> sealed_page(std::uint64_t identity, std::uint64_t number) {
  std::array<std::byte, page_size> page;
  for (std::size_t i = 0; i < page.size(); ++i) page[i] = static_cast<std::byte>(i * 7);
  seal_page(page, identity, number);
  return page;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_changed_bit_is_noticed) {
  auto page = sealed_page(5, 3);
  BOOST_TEST(is_sound_page(page, 5, 3));
  for (std::size_t i = 0; i < page.size(); ++i)
    for (unsigned bit = 0; bit < 8; ++bit) {
      page[i] ^= static_cast<std::byte>(1u << bit);
      BOOST_REQUIRE(!is_sound_page(page, 5, 3));
      page[i] ^= static_cast<std::byte>(1u << bit);
    }
  BOOST_TEST(is_sound_page(page, 5, 3));
}

BOOST_AUTO_TEST_CASE(a_page_belongs_to_one_place_of_one_file) {
  const auto page = sealed_page(500, 3);
  for (std::uint64_t number = 0; number < 100; ++number) BOOST_TEST(is_sound_page(page, 500, number) == (number == 3));
  BOOST_TEST(!is_sound_page(page, 499, 3));
}

BOOST_AUTO_TEST_CASE(records_do_not_continue_on_the_next_page) {
  BOOST_TEST(records_per_page(24) == 170u);
  BOOST_TEST(records_per_page(1) == content_size);
  BOOST_TEST(pages_for(0, 24) == 0u);
  BOOST_TEST(pages_for(1, 24) == 1u);
  BOOST_TEST(pages_for(170, 24) == 1u);
  BOOST_TEST(pages_for(171, 24) == 2u);
  BOOST_TEST(pages_for(UINT64_MAX, 1) == UINT64_MAX / content_size + 1);
}

BOOST_AUTO_TEST_SUITE_END()

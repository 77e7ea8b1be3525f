// SPDX-License-Identifier: Apache-2.0
// Mappings: the bytes of the file, from any offset.
#include "io/mapping.hpp"

#include <unistd.h>

#include "patterned.hpp"

using namespace tgmap_test;
using tgmap::failure;
using tgmap::io::mapping;

BOOST_AUTO_TEST_SUITE(mapping_test)

BOOST_AUTO_TEST_CASE(offsets_need_not_be_aligned) {
  const temporary_directory temporary;
  const bytes data = patterned(3 * 4096 + 100);
  const auto f = opened(temporary.file("f", data));
  for (const std::size_t at : {0u, 1u, 7u, 8u, 63u, 4095u, 4096u, 4097u, 8192u, 12287u, 12387u})
    for (const std::size_t size : {1u, 2u, 100u, 4096u, 5000u}) {
      if (at + size > data.size()) continue;
      failure why;
      const auto m = mapping::of(f, at, size, why);
      TGMAP_SUCCEEDED(why);
      BOOST_TEST(m.bytes().size() == size);
      BOOST_TEST((view_of(m.bytes()) == std::string_view(data).substr(at, size)), size << " at " << at);
    }
}

BOOST_AUTO_TEST_CASE(a_moved_mapping_keeps_its_address) {
  const temporary_directory temporary;
  failure why;
  auto first = mapping::of(opened(temporary.file("f", patterned(100))), 3, 50, why);  // outlives the descriptor too
  const auto* at = first.bytes().data();
  const mapping second = std::move(first);
  BOOST_TEST(second.bytes().data() == at);
  BOOST_TEST((view_of(second.bytes()) == patterned(100).substr(3, 50)));
  BOOST_TEST(mapping().bytes().empty());
}

BOOST_AUTO_TEST_CASE(a_failed_mapping_is_an_error) {
  const temporary_directory temporary;
  failure why;
  BOOST_TEST(mapping::of(tgmap::io::file(), 0, 10, why).bytes().empty());
  BOOST_TEST((why.code == tgmap::condition::io));
  int ends[2];
  BOOST_REQUIRE(::pipe(ends) == 0);
  const tgmap::io::file out(ends[0]), in(ends[1]);
  why = {};
  BOOST_TEST(mapping::of(out, 0, 10, why).bytes().empty());
  BOOST_TEST((why.code == tgmap::condition::io));
  BOOST_TEST(!why.text().empty());
  why = {};
  BOOST_TEST(mapping::of(opened(temporary.path()), 0, 10, why).bytes().empty());
  BOOST_TEST((why.code == tgmap::condition::io));
}

BOOST_AUTO_TEST_CASE(populating_brings_bytes_in_without_changing_them) {
  const temporary_directory temporary;
  const bytes data = patterned(100000);
  const auto f = opened(temporary.file("f", data));
  failure why;
  const auto m = mapping::of(f, 5, data.size() - 5, why);
  TGMAP_SUCCEEDED(why);
  for (const auto part : {m.bytes(), m.bytes().subspan(4090, 10), m.bytes().first(1), m.bytes().last(1)}) {
    bool supported = false;
    TGMAP_SUCCEEDED(tgmap::io::populate(part, supported));
  }
  BOOST_TEST((view_of(m.bytes()) == std::string_view(data).substr(5)));
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Searching in memory and through windows, with the pattern at critical places.
#include "io/finder.hpp"

#include "patterned.hpp"

using namespace tgmap_test;
using tgmap::failure;
using tgmap::io::source;

BOOST_AUTO_TEST_SUITE(finder_test)

namespace {

constexpr std::size_t window = 256 << 10;
const bytes pattern = "TENSOGRM";

/// Searches by the definition in io/finder.hpp.
std::uint64_t by_definition(const bytes& data, std::string_view wanted, std::uint64_t from, std::uint64_t to) {
  if (from >= to) return to;
  const auto at = data.find(wanted, from);
  return at < to ? at : to;
}

std::uint64_t found_in(const source& in, std::string_view wanted, std::uint64_t from, std::uint64_t to) {
  failure why;
  const auto out = in.find(span_of(wanted), from, to, why);
  TGMAP_SUCCEEDED(why);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_searches_agree_with_the_definition) {
  std::mt19937 random(1);
  const temporary_directory temporary;
  for (unsigned round = 0; round < 60; ++round) {
    bytes data(1 + random() % 40, '\0');
    for (char& c : data) c = static_cast<char>('a' + random() % 2);
    const auto mapped = source_of(data), read = source_of(temporary.file("f", data), {.io = tgmap::io_mode::read});
    for (const std::string_view wanted : {"a", "ab", "abb", "bab"})
      for (std::uint64_t from = 0; from <= data.size(); from += 3)
        for (std::uint64_t to = from; to <= data.size(); ++to) {
          const auto expected = by_definition(data, wanted, from, to);
          BOOST_REQUIRE(found_in(*mapped, wanted, from, to) == expected);
          if (to % 5 == 0) BOOST_REQUIRE(found_in(*read, wanted, from, to) == expected);
        }
  }
}

BOOST_AUTO_TEST_CASE(a_pattern_across_the_border_of_windows_is_found) {
  const temporary_directory temporary;
  for (const std::size_t border : {window, 2 * window - (pattern.size() - 1), 2 * window})
    for (std::size_t before = 0; before <= pattern.size() + 1; ++before) {
      bytes data(2 * window + 100, 'T');
      const std::size_t at = border - before;
      data.replace(at, pattern.size(), pattern);
      const auto in = source_of(temporary.file("f", data), {.io = tgmap::io_mode::read});
      BOOST_REQUIRE(found_in(*in, pattern, 0, data.size()) == at);
      BOOST_REQUIRE(found_in(*in, pattern, at, data.size()) == at);
      BOOST_REQUIRE(found_in(*in, pattern, at + 1, data.size()) == data.size());
      BOOST_REQUIRE(found_in(*in, pattern, 0, at) == at);
      BOOST_REQUIRE(found_in(*in, pattern, 0, at + 1) == at);
    }
}

BOOST_AUTO_TEST_CASE(searches_that_begin_anywhere_agree) {
  const temporary_directory temporary;
  bytes data(2 * window + 777, 'x');
  std::mt19937 random(2);
  for (unsigned i = 0; i < 12; ++i) data.replace(random() % (data.size() - 8), 8, pattern);
  const auto in = source_of(temporary.file("f", data), {.io = tgmap::io_mode::read});
  for (unsigned round = 0; round < 60; ++round) {
    const std::uint64_t from = random() % (data.size() + 1), to = from + random() % (data.size() - from + 1);
    BOOST_REQUIRE(found_in(*in, pattern, from, to) == by_definition(data, pattern, from, to));
  }
}

BOOST_AUTO_TEST_CASE(patterns_at_the_end_absent_and_in_an_empty_range) {
  for (const std::size_t size :
       {pattern.size(), std::size_t{100}, window - 1, window, window + 1, window + 7, window + 8}) {
    const bytes absent(size, 'x');
    bytes at_end = absent;
    at_end.replace(size - pattern.size(), pattern.size(), pattern);
    in_every_source(at_end, [&](const source& in) {
      BOOST_TEST(found_in(in, pattern, 0, size) == size - pattern.size());
      BOOST_TEST(found_in(in, pattern, size, size) == size);
      BOOST_TEST(found_in(in, pattern, 3, 3) == 3u);
    });
    in_every_source(absent, [&](const source& in) { BOOST_TEST(found_in(in, pattern, 0, size) == size); });
    bytes cut = absent;
    cut.replace(size - 7, 7, pattern.substr(0, 7));
    in_every_source(cut, [&](const source& in) { BOOST_TEST(found_in(in, pattern, 0, size) == size); });
  }
}

BOOST_AUTO_TEST_CASE(invalid_ranges_find_nothing) {
  const bytes data = "TENSOGRM";
  BOOST_TEST(tgmap::io::find_in_memory(span_of(data), span_of(pattern), 5, 3) == 3u);
  BOOST_TEST(tgmap::io::find_in_memory(span_of(data), span_of(pattern), 0, 9) == 9u);
  BOOST_TEST(tgmap::io::find_in_memory(span_of(data), span_of(pattern), 0, UINT64_MAX) == UINT64_MAX);
  BOOST_TEST(tgmap::io::find_in_memory({}, span_of(pattern), 0, 0) == 0u);
}

BOOST_AUTO_TEST_CASE(a_file_that_shrinks_below_a_search_is_an_error) {
  const temporary_directory temporary;
  const auto path = temporary.file("f", bytes(3 * window, 'x'));
  const auto in = source_of(path, {.io = tgmap::io_mode::read});
  std::filesystem::resize_file(path, window + 10);
  failure why;
  BOOST_TEST(in->find(span_of(pattern), 0, in->size(), why) == in->size());
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
}

BOOST_AUTO_TEST_CASE(continued_searches_read_nothing_twice) {
  const temporary_directory temporary;
  const auto path = temporary.file("f", "x" + pattern + "xx" + pattern + pattern + bytes(window, 'x'));
  const auto in = source_of(path, {.io = tgmap::io_mode::read});
  tgmap::io::finder search(*in);
  failure why;
  BOOST_TEST(search.find(span_of(pattern), 0, in->size(), why) == 1u);
  std::filesystem::resize_file(path, 0);  // from here on every read fails
  BOOST_TEST(search.find(span_of(pattern), 2, in->size(), why) == 11u);
  BOOST_TEST(search.find(span_of(pattern), 12, in->size(), why) == 19u);
  TGMAP_SUCCEEDED(why);
  search.find(span_of(pattern), 20, in->size(), why);
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Messages in anything: in memory, and in streams that come in pieces.
#include "bridge/grib/sections/message_finder.hpp"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <random>
#include <support/guarded.hpp>
#include <support/rounds.hpp>

#include "bridge/grib/sections/message_header.hpp"
#include "bridge/grib/sections/packing.hpp"
#include "grib_files.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge::grib;
using tgmap::failure;
using tgmap::bridge::errc;

namespace {

struct range {
  std::uint64_t offset = 0, size = 0;
  bytes message;
  std::error_code code;

  friend bool operator==(const range&, const range&) = default;
};

range range_of(const finding& found) {
  return {found.offset, found.size, bytes(view_of(found.message)), found.why.code};
}

std::vector<range> find_in_memory(std::span<const std::byte> content, const finder_options& options = {}) {
  std::vector<range> out;
  message_finder finder(content, options);
  for (finding each; finder.next(each);) out.push_back(range_of(each));
  return out;
}

// Reads in pieces of at most `piece` bytes.
std::vector<range> find_in_stream(std::string_view content, std::size_t piece, const finder_options& options = {}) {
  std::vector<range> out;
  stream_finder finder(
      [&](std::span<std::byte> to, failure&) {
        const std::size_t count = std::min({piece, to.size(), content.size()});
        std::memcpy(to.data(), content.data(), count);
        content.remove_prefix(count);
        return count;
      },
      options);
  failure why;
  for (finding each; finder.next(each, why);) out.push_back(range_of(each));
  BOOST_TEST(!why);
  return out;
}

// Both finders agree, and their findings cover everything.
std::vector<range> find_everywhere(const bytes& content, const finder_options& options = {}) {
  const std::vector<range> out = find_in_memory(span_of(content), options);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100'000}})
    BOOST_TEST((find_in_stream(content, piece, options) == out), "pieces of " << piece << " bytes");
  std::uint64_t at = 0;
  for (const range& each : out) {
    BOOST_TEST(each.offset == at);
    BOOST_TEST(each.size > 0u);
    at += each.size;
  }
  BOOST_TEST(at == content.size());
  return out;
}

// A message of GRIB 1 beyond 8 MiB as ECMWF codes it, of values of 8 bits in 2000 rows of `columns`. Spec: the length
// is that in units of 120 bytes, and section 4 states how much less it is, plus 4.
bytes large_message(std::size_t columns) {
  const bytes small = grib_file("edition_1_16");
  const auto fields = fields_of(span_of(small));
  bytes grid(view_of(fields[0].sections[2]));
  put(grid, 6, columns, 2);
  put(grid, 8, 2000, 2);
  bytes data(view_of(fields[0].sections[4].first(11)));
  const bool is_odd = (columns * 2000 + 11) % 2 != 0;
  data[3] = static_cast<char>(is_odd ? 8 : 0);
  data[10] = 8;
  data += bytes(columns * 2000 + (is_odd ? 1 : 0), '\x21');
  bytes out = "GRIB" + bytes(3, '\0') + '\1' + bytes(view_of(fields[0].sections[1])) + grid;
  const std::size_t size = out.size() + data.size() + 4;
  const std::size_t units = (size - 4 + 119) / 120;
  put(out, 4, 0x800000 | units, 3);
  put(data, 0, units * 120 - (size - 4), 3);
  return out + data + "7777";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(grib_message_finder)

BOOST_AUTO_TEST_CASE(all_files_are_single_messages) {
  bytes all;
  std::vector<range> expected;
  for (const std::string& name : grib_file_names()) {
    const bytes content = grib_file(name);
    expected.push_back({all.size(), content.size(), content, {}});
    all += content;
  }
  BOOST_TEST((find_everywhere(all) == expected));
}

BOOST_AUTO_TEST_CASE(anything_may_lie_between_messages) {
  const bytes one = grib_file("simple_12"), two = grib_file("edition_1_12");
  const bytes junk = "GRIB is a format. GRI", zeros(300, '\0');
  const auto found = find_everywhere(junk + one + zeros + two + "GRIB");
  BOOST_REQUIRE(found.size() == 5u);
  BOOST_TEST((found[0] == range{0, junk.size(), {}, {}}));
  BOOST_TEST((found[1] == range{junk.size(), one.size(), one, {}}));
  BOOST_TEST((found[2] == range{junk.size() + one.size(), 300, {}, {}}));
  BOOST_TEST(found[3].message == two);
  BOOST_TEST((found[4].size == 4 && !found[4].code));
  BOOST_TEST(find_everywhere("").empty());
  BOOST_TEST(find_everywhere("GRI").size() == 1u);
}

BOOST_AUTO_TEST_CASE(messages_within_messages_are_payload) {
  const bytes inner = grib_file("edition_1_12");
  bytes outer = grib_file("ieee_64");
  const std::size_t at = outer.size() - 4 - inner.size();
  outer.replace(at, inner.size(), inner);
  const auto found = find_everywhere(outer + inner);
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST(found[0].message == outer);
  BOOST_TEST(found[1].message == inner);
}

BOOST_AUTO_TEST_CASE(damaged_messages_are_named_and_the_rest_is_found) {
  const bytes one = grib_file("simple_12"), two = grib_file("edition_1_12");
  for (const bytes& broken : {one, two}) {
    // Bytes are missing in the middle: the end that the message states lies in the next one, or behind the input.
    const bytes short_by_100 = broken.substr(0, 200) + broken.substr(300);
    auto found = find_everywhere(short_by_100 + one + two);
    BOOST_REQUIRE(found.size() == 3u);
    BOOST_TEST((found[0].code == errc::no_end_marker && found[0].size == short_by_100.size()));
    BOOST_TEST((found[1].message == one && found[2].message == two));

    for (const std::size_t size : {broken.size() - 1, std::size_t{60}, std::size_t{30}}) {
      found = find_everywhere(one + broken.substr(0, size));
      BOOST_REQUIRE(found.size() == 2u);
      BOOST_TEST(found[0].message == one);
      BOOST_TEST((found[1].code == errc::message_truncated && found[1].size == size));
    }
    bytes without_length = broken;
    put(without_length, broken == one ? 8 : 4, 0, broken == one ? 8 : 3);
    found = find_everywhere("junk" + without_length + "x" + two);
    BOOST_REQUIRE(found.size() == 3u);
    BOOST_TEST((found[0].size == 4 && !found[0].code));
    BOOST_TEST((found[1].code == errc::bad_indicator && found[1].size == broken.size() + 1));
    BOOST_TEST(found[2].message == two);
  }
}

BOOST_AUTO_TEST_CASE(a_failure_says_where_and_how_much) {
  const bytes content = "..." + grib_file("simple_12").substr(0, 500);
  message_finder finder(span_of(content));
  finding found;
  BOOST_REQUIRE((finder.next(found) && finder.next(found)));
  BOOST_TEST((found.why.code == errc::message_truncated && found.why.offset == 3 && found.why.expected == 923 &&
              found.why.found == 500));
  BOOST_TEST(found.why.text() == "a GRIB message of 923 bytes, of which only 500 are there (offset 0x3)");
  BOOST_TEST(!finder.next(found));
  BOOST_TEST(!finder.next(found));
}

BOOST_AUTO_TEST_CASE(long_messages_are_skipped_unread) {
  const bytes one = grib_file("simple_12"), two = grib_file("edition_1_12");
  const auto found = find_everywhere(one + two, {.max_message_bytes = 900});
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST((found[0].code == errc::message_too_large && found[0].size == one.size()));
  BOOST_TEST(found[1].message == two);

  bytes forged = one;
  put(forged, 8, ~std::uint64_t{0}, 8);
  const auto rest = find_everywhere(forged + two);
  BOOST_REQUIRE(rest.size() == 2u);
  BOOST_TEST((rest[0].code == errc::message_too_large && rest[1].message == two));
}

BOOST_AUTO_TEST_CASE(lengths_beyond_8_mebibytes_are_coded) {
  for (const std::size_t columns : {4500, 4501}) {
    const bytes large = large_message(columns), small = grib_file("edition_1_12");
    const auto found = find_in_memory(span_of(large + small));
    BOOST_REQUIRE(found.size() == 2u);
    BOOST_TEST((found[0].message == large && found[1].message == small));
    BOOST_TEST((find_in_stream(large + small, 1'000'000) == found));
    const auto fields = fields_of(span_of(large));
    BOOST_REQUIRE(fields.size() == 1u);
    failure why;
    const packing stored = read_packing(fields[0], why);
    BOOST_TEST(!why);
    BOOST_TEST(stored.values == columns * 2000);
    BOOST_TEST(stored.data.size() == columns * 2000);
  }

  // A message of 8 to 16 MiB may also state its length as it is, with a section 4 that is not below 120 bytes.
  bytes plain = large_message(4500);
  const auto section = fields_of(span_of(plain))[0].sections[4];
  const auto at = static_cast<std::size_t>(reinterpret_cast<const char*>(section.data()) - plain.data());
  put(plain, 4, plain.size(), 3);
  put(plain, at, section.size(), 3);
  BOOST_TEST(find_in_memory(span_of(plain)).at(0).message == plain);
}

// A stream's buffer grows with the bytes that come, not with lengths that they state.
BOOST_AUTO_TEST_CASE(memory_follows_the_bytes) {
  bytes content = grib_file("simple_12");
  put(content, 8, 1U << 30U, 8);
  std::size_t asked = 0, given = 0;
  stream_finder finder([&](std::span<std::byte> to, failure&) {
    asked = std::max(asked, to.size());
    const std::size_t count = std::min(to.size(), content.size() - given);
    std::memcpy(to.data(), content.data() + given, count);
    given += count;
    return count;
  });
  finding found;
  failure why;
  BOOST_TEST(finder.next(found, why));
  BOOST_TEST((found.why.code == errc::message_truncated));
  BOOST_TEST(asked <= 256U << 10U);
}

BOOST_AUTO_TEST_CASE(errors_of_reading_are_passed_on) {
  const bytes one = grib_file("simple_12");
  int calls = 0;
  stream_finder finder([&](std::span<std::byte> to, failure& why) -> std::size_t {
    if (++calls > 1) {
      why.code = std::error_code(5, std::system_category());
      return 0;
    }
    std::memcpy(to.data(), one.data(), 500);
    return 500;
  });
  finding found;
  failure why;
  BOOST_TEST(!finder.next(found, why));
  BOOST_TEST((why.code == std::error_code(5, std::system_category())));
}

// Each "GRIB" of these claims the rest of the input. Work stays linear: quadratic work would take minutes.
BOOST_AUTO_TEST_CASE(many_claims_take_linear_time) {
  bytes content;
  while (content.size() < 4'000'000)
    content += "GRIB" + bytes(3, '\0') + '\2' + big_endian(500'000, 8) + big_endian(21, 4) + '\1';
  std::size_t count = 0;
  for (const range& each : find_in_memory(span_of(content))) {
    BOOST_REQUIRE(each.code);
    ++count;
  }
  BOOST_TEST(count == content.size() / 21);
  BOOST_TEST(find_in_stream(content, 1'000'000).size() == count);
}

BOOST_AUTO_TEST_CASE(random_mixtures_are_found_alike) {
  std::mt19937 random(7);
  const std::vector<std::string> names = grib_file_names();
  guarded_bytes memory(200'000);
  for (int round = 0; round < rounds(300); ++round) {
    bytes content;
    for (unsigned i = random() % 6; i > 0; --i) {
      bytes part = grib_file(names[random() % names.size()]);
      switch (random() % 4) {
        case 0: part.resize(random() % part.size()); break;
        case 1: part[random() % 24] = static_cast<char>(random()); break;
        case 2: part.insert(random() % part.size(), "GRIB"); break;
        default: break;
      }
      content += part;
    }
    const auto found = find_in_memory(memory.hold(content));
    BOOST_TEST((find_in_stream(content, 1 + random() % 2000) == found));
  }
}

BOOST_AUTO_TEST_SUITE_END()

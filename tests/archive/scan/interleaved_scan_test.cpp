// SPDX-License-Identifier: Apache-2.0
// Several chains find the same messages as one, or fewer.
#include "archive/scan/interleaved_scan.hpp"

#include <random>
#include <support/numbered.hpp>

#include "../archive_fixture.hpp"

using namespace tgmap_test;
using inner::interleaved_scan;

BOOST_AUTO_TEST_SUITE(interleaved_scan_test)

namespace {

struct walked {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found{};
  interleaved_scan::result result{};
};

walked walk(const tgmap::io::source& in, std::uint64_t begin, std::uint64_t end, std::size_t count) {
  interleaved_scan many;
  walked out;
  TGMAP_SUCCEEDED(many.walk(in, begin, end, count, out.result));
  for (std::size_t k = 0; k < out.result.count; ++k)
    for (const auto& e : out.result.parts[k]) out.found.emplace_back(e.offset, e.length);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(joined_chains_find_the_messages_of_one_scan) {
  const looked_at in(mixed_archive(400));
  const auto one = walk(*in.source, 0, in.data.size(), 1);
  BOOST_TEST(one.result.is_whole);
  BOOST_TEST(one.found.size() == 400u);
  BOOST_TEST(one.result.end == in.data.size());
  for (std::size_t count = 2; count <= interleaved_scan::max_chains; ++count) {
    const auto many = walk(*in.source, 0, in.data.size(), count);
    BOOST_TEST(many.result.is_whole);
    BOOST_TEST(many.result.count == count);
    BOOST_REQUIRE(many.found == one.found);
  }
}

BOOST_AUTO_TEST_CASE(a_region_ends_at_the_first_message_after_it) {
  const looked_at in(numbered_archive(100));
  const std::uint64_t length = in.data.size() / 100;
  for (std::uint64_t end = 1; end < 30 * length; end += 37)
    for (const std::size_t count : {1u, 3u}) {
      const auto part = walk(*in.source, 2 * length, 2 * length + end, count);
      BOOST_REQUIRE(part.result.is_whole);
      BOOST_REQUIRE(part.result.end == 2 * length + (end + length - 1) / length * length);
    }
}

BOOST_AUTO_TEST_CASE(messages_after_damage_are_not_found_from_the_end) {
  const bytes calm = numbered_archive(50);
  const looked_at in(calm + "junk" + calm + calm);
  for (std::size_t count = 1; count <= interleaved_scan::max_chains; ++count) {
    const auto part = walk(*in.source, 0, in.data.size(), count);
    BOOST_TEST(!part.result.is_whole);
    BOOST_TEST(part.result.needs_parser);
    BOOST_TEST(part.found.size() == 50u);
    BOOST_TEST(part.result.end == calm.size());
  }
}

BOOST_AUTO_TEST_CASE(seeds_inside_payloads_are_discarded) {
  message_spec spec = numbered_spec(0);
  spec.objects = {bytes_object(numbered_archive(30))};
  bytes data;
  for (unsigned n = 0; n < 20; ++n) data += message(spec);
  const looked_at in(data);
  const auto one = walk(*in.source, 0, data.size(), 1);
  BOOST_TEST(one.found.size() == 20u);
  for (std::size_t count = 2; count <= interleaved_scan::max_chains; ++count) {
    const auto many = walk(*in.source, 0, data.size(), count);
    BOOST_REQUIRE(many.found.size() <= one.found.size());
    BOOST_REQUIRE(std::equal(many.found.begin(), many.found.end(), one.found.begin()));
    BOOST_TEST(!many.result.needs_parser);
  }
}

BOOST_AUTO_TEST_CASE(a_full_chain_is_not_damage) {
  const looked_at in(numbered_archive(interleaved_scan::chain_capacity + 100));
  const auto one = walk(*in.source, 0, in.data.size(), 1);
  BOOST_TEST(one.found.size() == interleaved_scan::chain_capacity);
  BOOST_TEST(!one.result.is_whole);
  BOOST_TEST(!one.result.needs_parser);
}

BOOST_AUTO_TEST_CASE(without_a_message_at_the_start_nothing_is_found) {
  const looked_at in("junk" + numbered_archive(50));
  const auto none = walk(*in.source, 0, in.data.size(), 4);
  BOOST_TEST(none.result.needs_parser);
  BOOST_TEST(none.result.end == 0u);
  BOOST_TEST(none.found.empty());
}

namespace {

/// Returns ten streams and the offset of the last one.
std::pair<bytes, std::size_t> streams(int version) {
  bytes out;
  std::size_t last = 0;
  for (unsigned n = 0; n < 10; ++n) {
    message_spec spec = numbered_spec(n, version);
    spec.writing = writing::streamed;
    last = out.size();
    out += message(spec);
  }
  return {out, last};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_truncated_stream_ends_the_chain) {
  for (const int version : {2, 3}) {
    const auto [data, last] = streams(version);
    for (std::size_t size = last + 1; size < data.size(); ++size) {
      const looked_at in(data.substr(0, size));
      const auto one = walk(*in.source, 0, size, 1);
      BOOST_REQUIRE(one.found.size() == 9u);
      BOOST_REQUIRE(one.result.end == last);
      BOOST_REQUIRE(one.result.needs_parser);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_changed_stream_has_at_most_the_messages_of_the_general_parser) {
  for (const int version : {2, 3}) {
    const auto [data, last] = streams(version);
    for (std::size_t at = last; at < data.size(); ++at)
      for (const unsigned bit : {0u, 3u, 7u}) {
        bytes changed = data;
        changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
        const looked_at in(changed);
        const auto one = walk(*in.source, 0, changed.size(), 1);
        const auto archive = tgmap::archive::from_memory(span_of(changed));
        archive.scan();
        BOOST_REQUIRE(one.found.size() >= 9u);
        BOOST_REQUIRE(one.found.size() <= archive.scan_progress().messages);
        for (std::size_t i = 0; i < one.found.size(); ++i)
          BOOST_REQUIRE(one.found[i] == std::pair(archive[i].offset(), archive[i].length()));
      }
  }
}

BOOST_AUTO_TEST_CASE(magic_words_without_a_preamble_are_not_seeds) {
  message_spec spec = numbered_spec(0);
  bytes words;
  while (words.size() < 20'000) words += "TENSOGRM....";
  spec.objects = {bytes_object(words)};
  bytes data;
  for (unsigned n = 0; n < 20; ++n) data += message(spec);
  const looked_at in(data);
  const auto one = walk(*in.source, 0, data.size(), 1), many = walk(*in.source, 0, data.size(), 8);
  BOOST_TEST(one.found.size() == 20u);
  BOOST_TEST(many.result.is_whole);
  BOOST_TEST(many.result.count > 4u);
  BOOST_TEST((many.found == one.found));
}

BOOST_AUTO_TEST_SUITE_END()

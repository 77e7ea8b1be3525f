// SPDX-License-Identifier: Apache-2.0
// Eight bytes hold all that was found of the first object of a small message, or nothing is kept.
#include "archive/first_objects.hpp"

#include <boost/test/unit_test.hpp>
#include <thread>
#include <vector>

using tgmap::detail::first_objects;
using tgmap::detail::object_facts;
using tgmap::detail::segments;

BOOST_AUTO_TEST_SUITE(internal_first_objects_test)

namespace {

object_facts plain(std::uint64_t at, std::uint64_t length, std::uint64_t descriptor, unsigned version = 3) {
  const std::uint64_t tail = version == 2 ? 12 : 20;
  return {.at = at,
          .length = length,
          .descriptor_at = descriptor,
          .descriptor_length = length - tail - descriptor,
          .region_at = 16,
          .region_length = descriptor - 16,
          .payload_length = descriptor - 16,
          .type = static_cast<std::uint16_t>(version == 2 ? 4 : 9),
          .version = 1,
          .flags = 3};
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_kept_comes_back_whole) {
  for (const unsigned version : {2u, 3u})
    for (const std::uint64_t at : {24u, 400u, (1u << 19) - 8})
      for (const std::uint64_t length : {100u, 592u, (1u << 20) - 1})
        for (const std::uint64_t descriptor : {std::uint64_t{16}, length / 2, length - 20}) {
          first_objects known;
          const object_facts facts = plain(at, length, descriptor, version);
          object_facts out;
          BOOST_TEST(!known.find(7, out));
          BOOST_TEST(known.add(7, facts));
          BOOST_REQUIRE(known.find(7, out));
          BOOST_TEST((out == facts));
          BOOST_TEST(!known.find(6, out));
          BOOST_TEST(!known.find(1 << 20, out));
        }
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_not_kept) {
  const object_facts sound = plain(400, 592, 300);
  const auto kept = [&](auto change) {
    object_facts facts = sound;
    change(facts);
    first_objects known;
    object_facts out;
    const bool there = known.add(0, facts);
    BOOST_TEST(known.find(0, out) == there);
    return there;
  };
  BOOST_TEST(kept([](object_facts&) {}));
  BOOST_TEST(!kept([](object_facts& f) { f.at = 401; }));
  BOOST_TEST(!kept([](object_facts& f) { f.at = 1 << 19; }));
  BOOST_TEST(!kept([](object_facts& f) { f.at = std::uint64_t{1} << 40; }));
  BOOST_TEST(!kept([](object_facts& f) { f.length = 1 << 20; }));
  BOOST_TEST(!kept([](object_facts& f) { f.descriptor_at += 1 << 20; }));
  BOOST_TEST(!kept([](object_facts& f) { --f.descriptor_length; }));
  BOOST_TEST(!kept([](object_facts& f) { f.region_at = 200; }));
  BOOST_TEST(!kept([](object_facts& f) { --f.region_length; }));
  BOOST_TEST(!kept([](object_facts& f) { --f.payload_length; }));
  BOOST_TEST(!kept([](object_facts& f) { f.type = 17; }));
  BOOST_TEST(!kept([](object_facts& f) { f.version = 2; }));
  BOOST_TEST(!kept([](object_facts& f) { f.flags = 4; }));
  BOOST_TEST(!kept([](object_facts& f) { f.descriptor_length += 4; }), "a tail of another length");
}

BOOST_AUTO_TEST_CASE(threads_meet_in_every_segment) {
  first_objects known;
  std::atomic<unsigned> wrong{0};
  const auto of = [](std::size_t i) { return plain(i % 1000 * 8, 1000 + i % 50000, 100 + i % 800); };
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        object_facts out;
        for (std::size_t i = t % 2; i < 40000; ++i) {
          if (known.find(i, out) && !(out == of(i))) ++wrong;
          if (!known.add(i, of(i)) || !known.find(i, out) || !(out == of(i))) ++wrong;
        }
      });
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(segments_follow_each_other) {
  std::size_t next = 0;
  for (std::size_t s = 0; s < 12; ++s) {
    BOOST_TEST(segments::of(next).segment == s);
    BOOST_TEST(segments::of(next).at == 0u);
    next += segments::size(s);
    BOOST_TEST(segments::of(next - 1).segment == s);
    BOOST_TEST(segments::of(next - 1).at == segments::size(s) - 1);
  }
  BOOST_TEST(segments::of(SIZE_MAX / 2).segment < segments::most);
  BOOST_TEST(segments::of(SIZE_MAX / 2).at < segments::size(segments::of(SIZE_MAX / 2).segment));
}

BOOST_AUTO_TEST_SUITE_END()

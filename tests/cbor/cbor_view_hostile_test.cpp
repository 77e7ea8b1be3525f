// SPDX-License-Identifier: Apache-2.0
// Bytes that are not CBOR, and bytes that change while they are read: another answer or none, never more.
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/cbor.hpp>
#include <support/failures.hpp>
#include <support/guarded.hpp>
#include <tgmap/cbor_view.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(cbor_view_hostile_test)

namespace {

/// Takes every possible step; returns the number of steps.
std::size_t walk(const tgmap::cbor_view& v, unsigned depth = 0) {
  std::size_t steps = 1;
  (void)v.kind(), (void)v.size(), (void)v.text(), (void)v.tag(), (void)v.at(1), (void)v.find("a"),
      (void)v.at_path("a.b[0].c");
  (void)v.get<bool>(), (void)v.get<double>(), (void)v.get<std::int64_t>(), (void)v.get<std::uint64_t>();
  (void)v.get<std::string_view>(), (void)v.get<std::span<const std::byte>>();
  if (depth < 6)
    v.visit([&](auto, const tgmap::cbor_view& item) {
      steps += walk(item, depth + 1);
      return steps < 2000;
    });
  if (v.tag() && depth < 6) steps += walk(v.untagged(), depth + 1);
  return steps;
}

bytes sample() {
  return cbor::map(
      {cbor::key("a", cbor::map({cbor::key("b", cbor::array({cbor::map({cbor::key("c", cbor::integer(1))})}))})),
       cbor::key("t", cbor::tag(1, cbor::real(2.5))),
       cbor::key("p", cbor::text_in_pieces({"x", "yz"})),
       {cbor::integer(1), cbor::blob("bytes")},
       cbor::key("l", cbor::array_until_break({cbor::null(), cbor::boolean(true)}))});
}

}  // namespace

BOOST_AUTO_TEST_CASE(truncated_items_are_not_read_beyond_their_end) {
  const bytes whole = sample();
  guarded_bytes memory(whole.size());
  for (std::size_t kept = 0; kept < whole.size(); ++kept) {
    const tgmap::cbor_view v(memory.hold(whole.substr(0, kept)));
    BOOST_TEST(walk(v) > 0u);
    BOOST_TEST(v.bytes().empty());
    BOOST_TEST(!v.visit([](auto, const tgmap::cbor_view&) { return true; }) == (kept > 0));
  }
}

BOOST_AUTO_TEST_CASE(changed_items_are_not_read_beyond_their_end) {
  const bytes whole = sample();
  guarded_bytes memory(whole.size());
  std::size_t steps = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (unsigned value = 0; value < 256; ++value) {
      bytes changed = whole;
      changed[at] = static_cast<char>(value);
      const auto item_bytes = memory.hold(changed);
      const tgmap::cbor_view v(item_bytes);
      steps += walk(v);
      BOOST_REQUIRE(v.bytes().size() <= item_bytes.size());
    }
  BOOST_TEST(steps > 0u);
}

BOOST_AUTO_TEST_CASE(random_items_are_not_read_beyond_their_end) {
  std::minstd_rand random(7);
  guarded_bytes memory(64);
  std::size_t steps = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    bytes data(random() % 64, '\0');
    for (auto& c : data) c = static_cast<char>(random() >> 8);
    steps += walk(tgmap::cbor_view(memory.hold(data)));
  }
  BOOST_TEST(steps >= 20000u);
}

BOOST_AUTO_TEST_CASE(counts_larger_than_the_bytes_end_the_walk) {
  for (const unsigned major : {2u, 3u, 4u, 5u})
    for (const std::uint64_t count :
         {std::uint64_t{24}, std::uint64_t{1} << 32, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
      const bytes data = cbor::wide_head(major, count, 8) + cbor::integer(1) + cbor::integer(2);
      const tgmap::cbor_view v(span_of(data));
      BOOST_TEST(v.bytes().empty());
      BOOST_TEST(!v.get<std::string_view>());
      BOOST_TEST(!v.get<std::span<const std::byte>>());
      std::size_t seen = 0;
      const bool whole = v.visit([&](auto, const tgmap::cbor_view&) { return ++seen < 100; });
      if (major >= 4) {
        BOOST_TEST(!whole);
        BOOST_TEST(seen <= 2u);
        BOOST_TEST(!v.at(5));
      }
    }
}

BOOST_AUTO_TEST_CASE(deep_nesting_needs_no_stack) {
  const bytes deep = cbor::nested(2000000, cbor::integer(1));
  const tgmap::cbor_view v(span_of(deep));
  BOOST_TEST(v.bytes().size() == deep.size());
  BOOST_TEST(v.size() == 1u);
  BOOST_TEST(v.at(0).has_value());
  bytes pairs;
  for (unsigned n = 0; n < 500000; ++n) pairs += "\xa1\x01";
  const bytes deep_map = pairs + cbor::integer(1);
  BOOST_TEST(tgmap::cbor_view(span_of(deep_map)).bytes().size() == deep_map.size());
  const bytes tags = bytes(1000000, '\xc1') + cbor::integer(1);
  BOOST_TEST(tgmap::cbor_view(span_of(tags)).bytes().size() == tags.size());
  const bytes open = bytes(1000000, '\x9f');
  BOOST_TEST(tgmap::cbor_view(span_of(open)).bytes().empty());
}

BOOST_AUTO_TEST_CASE(items_that_rfc_8949_forbids_are_malformed) {
  for (const auto& data : {bytes("\x1c"), bytes("\x1f"), bytes("\x3f"), bytes("\xdf\x01"), bytes("\xff"), bytes("\xf8"),
                           bytes("\x5f\x61x\xff"), bytes("\x81"), bytes("\xa1\x01"), bytes("\xbf\x01\xff"),
                           bytes("\xc1"), bytes("\xfe"), bytes("\x18")})
    BOOST_TEST(tgmap::cbor_view(span_of(data)).bytes().empty());
}

BOOST_AUTO_TEST_SUITE_END()

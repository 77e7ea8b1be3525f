// SPDX-License-Identifier: Apache-2.0
// Hundreds of thousands of valid and damaged items: compares prescan and skip with libcbor and with the pseudocode of
// the RFC.
#include <boost/test/unit_test.hpp>
#include <support/guarded.hpp>
#include <support/rounds.hpp>
#include <tgmap/cbor_view.hpp>

#include "cbor/prescan.hpp"
#include "cbor/walk.hpp"
#include "reference.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(differential_test)

namespace {

struct tally {
  unsigned tried = 0, accepted = 0;
};

/// Compares all results for the first item of `data`.
void compare(const bytes& data, tally& seen) {
  ++seen.tried;
  const auto span = span_of(data);
  const bool accepted = !tgmap::cbor::prescan(span, 256, tgmap::cbor::rules::any);
  const auto expected = reference_length(data, {});
  BOOST_REQUIRE_MESSAGE(accepted == expected.has_value(), "prescan " << accepted << ": " << to_hex(data));

  const std::byte* behind = tgmap::cbor::skip(span.data(), span.data() + span.size());
  if (accepted) {
    ++seen.accepted;
    BOOST_REQUIRE_MESSAGE(behind != nullptr, "skip refuses " << to_hex(data));
    BOOST_REQUIRE_MESSAGE(static_cast<std::size_t>(behind - span.data()) == *expected, "skip of " << to_hex(data));
    BOOST_REQUIRE_MESSAGE(libcbor_length(for_libcbor(data)) == expected, "libcbor on " << to_hex(data));
    BOOST_REQUIRE(tgmap::cbor_view(span).bytes().size() == *expected);
  } else if (behind != nullptr) {
    // skip passes over more than is allowed: simple values of every number.
    const auto lenient = reference_length(data, {.max_containers = 100000, .all_simple_values = true});
    BOOST_REQUIRE_MESSAGE(lenient.has_value(), "skip accepts " << to_hex(data));
    BOOST_REQUIRE(static_cast<std::size_t>(behind - span.data()) == *lenient);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_items_are_accepted_by_all) {
  std::mt19937_64 random(20261121);
  tally seen;
  for (unsigned round = 0; round < rounds(60000u); ++round) compare(random_item(random, 1 + round % 5), seen);
  BOOST_TEST(seen.accepted == seen.tried);
}

BOOST_AUTO_TEST_CASE(items_followed_by_other_bytes) {
  std::mt19937_64 random(2);
  tally seen;
  for (unsigned round = 0; round < rounds(20000u); ++round)
    compare(random_item(random, 3) + random_item(random, 1).substr(0, random() % 4), seen);
  BOOST_TEST(seen.accepted == seen.tried);
}

BOOST_AUTO_TEST_CASE(damaged_items_are_judged_alike) {
  std::mt19937_64 random(3);
  tally seen;
  for (unsigned round = 0; round < rounds(200000u); ++round) {
    bytes data = mutated(random_item(random, 1 + round % 4), random);
    if (round % 3 == 0) data = mutated(std::move(data), random);
    compare(data, seen);
  }
  BOOST_TEST(seen.accepted > seen.tried / 10);
  BOOST_TEST(seen.accepted < seen.tried * 9 / 10);
}

BOOST_AUTO_TEST_CASE(bytes_drawn_from_the_grammar_are_judged_alike) {
  constexpr std::string_view alphabet(
      "\x00\x01\x18\x1b\x40\x41\x5f\x60\x61\x7f\x80\x81\x82\x9f\xa0\xa1\xbf\xc1\xf4\xf6\xf8\xf9\xff\xff\xff", 25);
  std::mt19937_64 random(4);
  tally seen;
  for (unsigned round = 0; round < rounds(200000u); ++round) {
    bytes data(1 + random() % 12, '\0');
    for (char& c : data) c = alphabet[random() % alphabet.size()];
    compare(data, seen);
  }
  BOOST_TEST(seen.accepted > rounds(10000u));
}

BOOST_AUTO_TEST_CASE(every_two_bytes_are_judged_alike) {
  tally seen;
  for (unsigned n = 0; n < 65536; ++n) compare(big_endian(n, 2), seen);
  BOOST_TEST(seen.accepted > 10000u);
}

BOOST_AUTO_TEST_CASE(every_three_bytes_of_containers_are_judged_alike) {
  tally seen;
  for (const unsigned first : {0x5fu, 0x7fu, 0x81u, 0x82u, 0x9fu, 0xa1u, 0xbfu, 0xc1u, 0xd8u})
    for (unsigned n = 0; n < 65536; n += stride(13)) compare(big_endian(first << 16 | n, 3), seen);
  BOOST_TEST(seen.accepted > rounds(10000u));
}

BOOST_AUTO_TEST_CASE(metadata_maps_must_have_text_keys) {
  std::mt19937_64 random(5);
  unsigned accepted = 0;
  for (unsigned round = 0; round < rounds(50000u); ++round) {
    bytes data = cbor::map({cbor::key("a", random_item(random, 2)), {random_item(random, 1), random_item(random, 1)}});
    if (round % 2 == 0) data = mutated(std::move(data), random);
    const auto length = reference_length(data, {});
    bool expected = length.has_value();
    if (expected) {
      const tgmap::cbor_view top(span_of(data));
      expected = top.kind() == tgmap::cbor_kind::map;
      top.visit([&](const tgmap::cbor_view& key, const tgmap::cbor_view&) {
        expected &= key.kind() == tgmap::cbor_kind::text;
        return true;
      });
    }
    BOOST_REQUIRE_MESSAGE(!tgmap::cbor::prescan(span_of(data), 256, tgmap::cbor::rules::metadata) == expected,
                          to_hex(data));
    accepted += expected;
  }
  BOOST_TEST(accepted > rounds(2000u));
}

BOOST_AUTO_TEST_SUITE_END()

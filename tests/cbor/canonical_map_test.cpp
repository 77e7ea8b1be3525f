// SPDX-License-Identifier: Apache-2.0
// Finding and adding pairs in an encoded map.
#include "cbor/canonical/canonical_map.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include <support/cbor.hpp>
#include <support/guarded.hpp>

#include "cbor/canonical/canonical.hpp"
#include "counting_new.hpp"
#include "reference.hpp"

using namespace tgmap_test;
namespace inner = tgmap::cbor;

BOOST_AUTO_TEST_SUITE(canonical_map_test)

namespace {

bytes with(const bytes& map, std::string_view key, const bytes& value) {
  std::vector<std::byte> out;
  inner::writer writer(out);
  inner::write_with(writer, span_of(map), key, span_of(value));
  return bytes(view_of(out));
}

bool has(const bytes& map, std::string_view key) { return inner::has_key(span_of(map), key); }

const bytes base = cbor::map({cbor::key("mars", cbor::map({cbor::key("_reserved_", cbor::integer(1))})),
                              cbor::key("name", cbor::text("x")), cbor::key("levels", cbor::numbers({1, 2, 3})),
                              cbor::key("much longer than that", cbor::null())});

}  // namespace

BOOST_AUTO_TEST_CASE(a_pair_is_inserted_in_order) {
  const bytes expected =
      cbor::map({cbor::key("mars", cbor::map({cbor::key("_reserved_", cbor::integer(1))})),
                 cbor::key("name", cbor::text("x")), cbor::key("levels", cbor::numbers({1, 2, 3})),
                 cbor::key("_reserved_", cbor::integer(7)), cbor::key("much longer than that", cbor::null())});
  BOOST_TEST(to_hex(with(base, "_reserved_", cbor::integer(7))) == to_hex(expected));
  BOOST_TEST(with(cbor::map({}), "a", cbor::null()) == cbor::map({cbor::key("a", cbor::null())}));
  BOOST_TEST(with(base, "", cbor::null()).substr(1, 2) == "\x60\xf6");
  BOOST_TEST(with(base, bytes(30, 'z'), cbor::null()).ends_with("z\xf6"));
}

BOOST_AUTO_TEST_CASE(keys_are_those_of_the_map_itself) {
  for (const char* key : {"name", "mars", "levels", "much longer than that"}) BOOST_TEST(has(base, key), key);
  for (const char* key : {"", "_reserved_", "nam", "names", "x", "marsx", "zzzzzz"}) BOOST_TEST(!has(base, key), key);
  BOOST_TEST(!has(cbor::map({}), ""));
  BOOST_TEST(has(cbor::map({cbor::key("", cbor::null())}), ""));
}

BOOST_AUTO_TEST_CASE(find_returns_the_offsets_of_a_pair) {
  const auto place = inner::place_of(span_of(base), "levels");
  BOOST_TEST(place.is_present);
  BOOST_TEST(place.pairs == 4u);
  BOOST_TEST(place.body == 1u);
  BOOST_TEST(base.substr(place.offset, place.value - place.offset) == cbor::text("levels"));
  BOOST_TEST(base.substr(place.value, place.end - place.value) == cbor::numbers({1, 2, 3}));
  const auto missing = inner::place_of(span_of(base), "_reserved_");
  BOOST_TEST(!missing.is_present);
  BOOST_TEST(base.substr(missing.offset).starts_with(cbor::text("much longer than that")));
  BOOST_TEST((missing.value == missing.offset && missing.end == missing.offset));
}

BOOST_AUTO_TEST_CASE(maps_grow_pair_by_pair_in_any_order) {
  std::mt19937_64 random(31);
  for (unsigned round = 0; round < 300; ++round) {
    std::map<bytes, bytes> pairs;
    bytes map = cbor::map({});
    for (unsigned n = 0; n < 40; ++n) {
      const bytes name(random() % 30, static_cast<char>('a' + random() % 3));
      const bytes value = random() % 2 ? cbor::unsigned_integer(random()) : cbor::map({cbor::key("k", cbor::null())});
      const bool there = pairs.contains(cbor::text(name));
      BOOST_REQUIRE(has(map, name) == there);
      if (there) continue;
      map = with(map, name, value);
      pairs[cbor::text(name)] = value;
      BOOST_REQUIRE(map == cbor::map({pairs.begin(), pairs.end()}));
    }
    BOOST_REQUIRE(inner::is_canonical(span_of(map)));
  }
}

BOOST_AUTO_TEST_CASE(keys_of_other_kinds_keep_their_places) {
  const bytes map = cbor::map({{cbor::integer(70000), cbor::null()},
                               {cbor::negative(1), cbor::null()},
                               {cbor::blob("zz"), cbor::null()},
                               cbor::key("a", cbor::null()),
                               {cbor::array({cbor::text("b")}), cbor::null()},
                               {cbor::null(), cbor::null()}});
  BOOST_TEST(inner::is_canonical(span_of(map)));
  for (const char* key : {"", "b", "zzz"}) {
    BOOST_TEST(!has(map, key));
    BOOST_TEST(inner::is_canonical(span_of(with(map, key, cbor::integer(1)))), key);
  }
  BOOST_TEST(has(map, "a"));
}

BOOST_AUTO_TEST_CASE(among_text_keys_the_place_is_the_same) {
  for (const char* key : {"", "name", "levels", "_reserved_", "zzzzzz", "much longer than that"}) {
    inner::key_place found;
    BOOST_TEST(inner::find_in_text_map(span_of(base), key, found));
    const auto place = inner::place_of(span_of(base), key);
    BOOST_TEST(found.pairs == place.pairs);
    BOOST_TEST(found.body == place.body);
    BOOST_TEST(found.offset == place.offset);
    BOOST_TEST(found.value == place.value);
    BOOST_TEST(found.end == place.end);
    BOOST_TEST(found.is_present == place.is_present);
    for (std::size_t size = 0; size < base.size(); ++size)
      BOOST_TEST(!inner::find_in_text_map(span_of(base).first(size), key, found));
  }
  inner::key_place found;
  BOOST_TEST(!inner::find_in_text_map(span_of(cbor::map({{cbor::integer(1), cbor::integer(2)}})), "a", found));
}

BOOST_AUTO_TEST_CASE(only_writing_allocates) {
  std::vector<std::byte> out;
  out.reserve(1000);
  const bytes value = cbor::integer(1);
  const auto before = allocations();
  inner::writer writer(out);
  inner::write_with(writer, span_of(base), "_reserved_", span_of(value));
  const bool there = inner::has_key(span_of(base), "name");
  BOOST_TEST(allocations() == before);
  BOOST_TEST(there);
}

BOOST_AUTO_TEST_CASE(malformed_maps_are_not_read_beyond_their_end) {
  guarded_bytes closed(4096);
  std::mt19937_64 random(32);
  for (std::size_t size = 0; size <= base.size(); ++size)
    for (const char* key : {"", "name", "levels", "_reserved_", "much longer than that"}) {
      const auto cut = closed.hold(base.substr(0, size));
      const auto place = inner::place_of(cut, key);
      BOOST_REQUIRE(place.body <= place.offset || place.offset == 0);
      BOOST_REQUIRE((place.offset <= place.value && place.value <= place.end && place.end <= size));
    }
  for (unsigned round = 0; round < 20000; ++round) {
    const bytes data = mutated(round % 2 ? base : random_item(random, 3), random).substr(0, 4096);
    const auto place = inner::place_of(closed.hold(data), "levels");
    BOOST_REQUIRE((place.offset <= place.value && place.value <= place.end && place.end <= data.size()));
  }
}

BOOST_AUTO_TEST_SUITE_END()

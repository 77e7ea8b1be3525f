// SPDX-License-Identifier: Apache-2.0
// The check for the canonical form, beside make_canonical: an item is canonical if and only if it stays as it is.
#include "cbor/canonical/canonical.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <random>
#include <support/cbor.hpp>
#include <support/guarded.hpp>
#include <support/rounds.hpp>

using namespace tgmap_test;
namespace inner = tgmap::cbor;

BOOST_AUTO_TEST_SUITE(canonical_test)

namespace {

bool is_canonical(const bytes& item) { return inner::is_canonical(span_of(item)); }

/// Compares the check with the conversion.
void compare(const bytes& item) {
  std::vector<std::byte> converted(span_of(item).begin(), span_of(item).end());
  const tgmap::failure why = inner::make_canonical(converted);
  const bool stays = !why && view_of(converted) == item;
  BOOST_TEST(is_canonical(item) == stays, to_hex(item));
  if (!why) BOOST_TEST(inner::is_canonical(converted), to_hex(item));
}

std::vector<bytes> canonical_items() {
  return {cbor::integer(0),
          cbor::integer(23),
          cbor::integer(24),
          cbor::integer(65535),
          cbor::integer(65536),
          cbor::unsigned_integer(UINT64_MAX),
          cbor::negative(0),
          cbor::negative(256),
          cbor::null(),
          cbor::boolean(true),
          cbor::half(0x3c00),
          cbor::half(0x7e00),
          cbor::half(0x7c00),
          cbor::single(0.1f),
          cbor::single(65536.0f),
          cbor::real(0.1),
          cbor::real(1e300),
          cbor::text(""),
          cbor::text("name"),
          cbor::text("\xc3\xa9"),
          cbor::text(bytes(24, 'x')),
          cbor::blob("\xff\xfe"),
          cbor::array({}),
          cbor::map({}),
          cbor::tag(1, cbor::integer(7)),
          cbor::tag(70000, cbor::array({cbor::map({cbor::key("a", cbor::null())})})),
          cbor::numbers({1, 300, 70000}),
          cbor::map({cbor::key("a", cbor::integer(1)), cbor::key("b", cbor::map({cbor::key("c", cbor::text("d"))}))}),
          cbor::map({{cbor::array({cbor::integer(1)}), cbor::null()}, {cbor::array({cbor::integer(2)}), cbor::null()}}),
          cbor::nested(inner::max_nesting, cbor::null())};
}

}  // namespace

BOOST_AUTO_TEST_CASE(canonical_items_stay_as_they_are) {
  for (const bytes& item : canonical_items()) {
    BOOST_TEST(is_canonical(item), to_hex(item));
    compare(item);
  }
}

BOOST_AUTO_TEST_CASE(the_shortest_head_of_each_number_is_canonical) {
  for (const auto& [item, canonical] : {std::pair<std::string_view, bool>{"\x17", true},
                                        {"\x18\x17", false},
                                        {"\x18\x18", true},
                                        {"\x18\xff", true},
                                        {{"\x19\0\xff", 3}, false},
                                        {{"\x19\1\0", 3}, true},
                                        {"\x19\xff\xff", true},
                                        {{"\x1a\0\0\xff\xff", 5}, false},
                                        {{"\x1a\0\1\0\0", 5}, true},
                                        {{"\x1b\0\0\0\0\xff\xff\xff\xff", 9}, false},
                                        {{"\x1b\0\0\0\1\0\0\0\0", 9}, true}})
    BOOST_TEST(is_canonical(bytes(item)) == canonical, to_hex(bytes(item)));
}

BOOST_AUTO_TEST_CASE(longer_forms_are_not_canonical) {
  for (const unsigned width : {1u, 2u, 4u, 8u})
    for (const unsigned major : {0u, 1u, 2u, 3u, 4u})
      for (const std::uint64_t argument : {0u, 23u, 24u, 255u, 256u}) {
        if (argument >> (width * 4) >> (width * 4) != 0) continue;  // does not fit
        bytes item = cbor::wide_head(major, argument, width);
        if (major == 2 || major == 3) item += bytes(argument, 'x');
        if (major == 4) item += bytes(argument, '\0');
        compare(item);
      }
  BOOST_TEST(!is_canonical(cbor::wide_head(0, 23, 1)));
  BOOST_TEST(!is_canonical(cbor::wide_head(6, 1, 1) + cbor::null()));
  for (const bytes& item :
       {cbor::real(1), cbor::real(0.1f), cbor::single(1), cbor::single(std::numeric_limits<float>::infinity()),
        cbor::single(std::numeric_limits<float>::quiet_NaN()), cbor::real(std::numeric_limits<double>::quiet_NaN()),
        cbor::half(0x7e01), cbor::undefined(), bytes("\xe0"), bytes("\xf8\x20"), cbor::array_until_break({}),
        cbor::map_until_break({}), cbor::text_in_pieces({"a", "b"}), cbor::blob_in_pieces({}), cbor::text("\xff"),
        cbor::text("\xc3"), cbor::nested(inner::max_nesting + 1, cbor::null())}) {
    BOOST_TEST(!is_canonical(item), to_hex(item));
    compare(item);
  }
}

BOOST_AUTO_TEST_CASE(keys_are_in_order_and_unique) {
  const auto one = cbor::key("a", cbor::null()), two = cbor::key("b", cbor::null()),
             longer = cbor::key("aa", cbor::null());
  BOOST_TEST(is_canonical(cbor::map({one, two, longer})));
  for (const auto& pairs : {std::vector<cbor::pair>{two, one}, {one, one}, {longer, two}, {one, longer, two}}) {
    BOOST_TEST(!is_canonical(cbor::map(pairs)));
    compare(cbor::map(pairs));
  }
  // The same in a map that is a key, and in one that is a value.
  BOOST_TEST(!is_canonical(cbor::map({{cbor::map({two, one}), cbor::null()}})));
  BOOST_TEST(!is_canonical(cbor::map({cbor::key("k", cbor::map({two, one}))})));
}

BOOST_AUTO_TEST_CASE(cut_and_continued_items_are_not_canonical) {
  guarded_bytes closed(4096);
  BOOST_TEST(!inner::is_canonical({}));
  for (const bytes& item : canonical_items()) {
    for (std::size_t size = 0; size < item.size(); ++size)
      BOOST_TEST(!inner::is_canonical(closed.hold(item.substr(0, size))), to_hex(item) << " up to " << size);
    BOOST_TEST(!is_canonical(item + '\0'));
  }
  // Counts that no memory could hold.
  for (const unsigned major : {2u, 3u, 4u, 5u}) {
    BOOST_TEST(!is_canonical(cbor::head(major, UINT64_MAX)));
    BOOST_TEST(!is_canonical(cbor::head(major, 3) + bytes("\0", 1)));
  }
}

BOOST_AUTO_TEST_CASE(random_bytes_are_judged_as_they_are_converted) {
  std::mt19937_64 random(33);
  for (unsigned round = 0; round < rounds(20'000u); ++round) {
    bytes item(1 + random() % 12, '\0');
    // Small heads of each kind, so that many of the items are well-formed.
    for (char& each : item) each = static_cast<char>(random() % 8 << 5 | random() % (random() % 4 == 0 ? 32 : 4));
    compare(item);
  }
}

BOOST_AUTO_TEST_CASE(depth_counts_containers_and_tags) {
  const auto depth = [](const bytes& item) { return inner::nesting_depth(span_of(item)); };
  for (const bytes& flat : {cbor::integer(7), cbor::text("[]"), cbor::blob("\x81\x81"), cbor::null(), bytes()})
    BOOST_TEST(depth(flat) == 0u);
  BOOST_TEST(depth(cbor::array({})) == 1u);
  BOOST_TEST(depth(cbor::tag(1, cbor::integer(1))) == 1u);
  BOOST_TEST(depth(cbor::array({cbor::array({}), cbor::integer(1), cbor::map({cbor::key("a", cbor::array({}))})})) ==
             3u);
  for (const unsigned levels : {1u, 255u, 256u}) BOOST_TEST(depth(cbor::nested(levels, cbor::null())) == levels);
  BOOST_TEST(depth(cbor::nested(300, cbor::null())) > inner::max_nesting);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Skipping one item.
#include "cbor/walk.hpp"

#include <boost/test/unit_test.hpp>
#include <support/guarded.hpp>

#include "appendix_a.hpp"
#include "cbor/prescan.hpp"
#include "reference.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(walk_test)

namespace {

std::optional<std::size_t> skipped(std::span<const std::byte> data) {
  const std::byte* behind = tgmap::cbor::skip(data.data(), data.data() + data.size());
  if (behind == nullptr) return std::nullopt;
  return static_cast<std::size_t>(behind - data.data());
}

std::optional<std::size_t> skipped(const bytes& data) { return skipped(span_of(data)); }

bool accepted(std::span<const std::byte> data) { return !tgmap::cbor::prescan(data, 256, tgmap::cbor::rules::any); }

}  // namespace

BOOST_AUTO_TEST_CASE(every_example_of_the_rfc_is_skipped) {
  for (const auto& example : appendix_a) {
    const bytes data = from_hex(example.hex);
    BOOST_TEST(skipped(data).value_or(0) == data.size(), example.hex);
    BOOST_TEST(skipped(data + "\xff\x01").value_or(0) == data.size(), example.hex << " and more");
    BOOST_TEST(accepted(span_of(data)) == example.allowed, example.hex);
    if (example.allowed) BOOST_TEST(libcbor_length(data).value_or(0) == data.size(), example.hex);
  }
}

BOOST_AUTO_TEST_CASE(truncated_examples_are_not_items) {
  guarded_bytes memory(64);
  for (const auto& example : appendix_a) {
    const bytes data = from_hex(example.hex);
    for (std::size_t size = 0; size < data.size(); ++size) {
      const auto item_bytes = memory.hold(data.substr(0, size));
      BOOST_TEST(!skipped(item_bytes), example.hex << " cut to " << size);
      BOOST_TEST(!accepted(item_bytes), example.hex << " cut to " << size);
    }
  }
}

BOOST_AUTO_TEST_CASE(items_that_are_not_well_formed_are_refused) {
  guarded_bytes memory(64);
  for (const auto hex : appendix_f) {
    const auto item_bytes = memory.hold(from_hex(hex));
    BOOST_TEST(!skipped(item_bytes), hex);
    BOOST_TEST(!accepted(item_bytes), hex);
  }
}

BOOST_AUTO_TEST_CASE(simple_values_below_32_in_two_bytes_are_not_well_formed) {
  for (unsigned value = 0; value < 32; ++value) {
    const bytes data = "\xf8" + big_endian(value, 1);
    BOOST_TEST(!skipped(data), value);
    BOOST_TEST(!accepted(span_of(data)), value);
  }
}

BOOST_AUTO_TEST_CASE(nested_definite_containers_do_not_count) {
  for (const unsigned depth : {1u, 1023u, 1024u, 1025u, 100000u}) {
    const bytes arrays = cbor::nested(depth, cbor::integer(1));
    BOOST_TEST(skipped(arrays).value_or(0) == arrays.size());
    BOOST_TEST(!skipped(bytes(depth, '\x81')));
  }
}

BOOST_AUTO_TEST_CASE(indefinite_containers_nest_up_to_1024_levels) {
  for (const char open : {'\x9f', '\xbf'}) {
    const auto nested = [&](std::size_t depth) {
      bytes data;
      for (std::size_t i = 0; i < depth; ++i)
        data += open == '\xbf' && i + 1 < depth ? bytes("\xbf\x01") : bytes(1, open);
      return data + bytes(depth, '\xff');
    };
    for (const std::size_t depth : {std::size_t{1}, std::size_t{2}, tgmap::cbor::max_open_containers})
      BOOST_TEST(skipped(nested(depth)).value_or(0) == nested(depth).size(), depth);
    BOOST_TEST(!skipped(nested(tgmap::cbor::max_open_containers + 1)));
  }
}

BOOST_AUTO_TEST_CASE(consecutive_indefinite_containers_do_not_add_up) {
  bytes data = "\x9f";
  for (unsigned i = 0; i < 5000; ++i) data += "\x9f\xff\xbf\x01\x9f\xff\xff";
  data += '\xff';
  BOOST_TEST(skipped(data).value_or(0) == data.size());
}

BOOST_AUTO_TEST_CASE(a_definite_container_continues_after_an_indefinite_one) {
  // [ [_ 1, {_ "a": [2, [_ ]] } ], 3 ] and more after it.
  const bytes inner = cbor::array_until_break(
      {cbor::integer(1),
       cbor::map_until_break({cbor::key("a", cbor::array({cbor::integer(2), cbor::array_until_break({})}))})});
  const bytes data = cbor::array({inner, cbor::integer(3)});
  BOOST_TEST(skipped(data + cbor::integer(4)).value_or(0) == data.size());
}

BOOST_AUTO_TEST_CASE(counts_are_bounded_by_the_bytes_present) {
  for (const unsigned type : {2u, 3u, 4u, 5u})
    for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{UINT32_MAX}, std::uint64_t{INT64_MAX},
                                      std::uint64_t{INT64_MAX} + 1, std::uint64_t{UINT64_MAX}}) {
      const bytes data = cbor::wide_head(type, count, 8) + "\x01\x02";
      BOOST_TEST(!skipped(data), type << ", " << count);
      BOOST_TEST(!accepted(span_of(data)), type << ", " << count);
    }
}

BOOST_AUTO_TEST_CASE(an_empty_range_has_no_item) {
  const std::byte none{};
  BOOST_TEST((tgmap::cbor::skip(&none, &none) == nullptr));
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
#include "codec/masks/non_finite.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <codec/masks/float_patterns.hpp>
#include <support/guarded.hpp>

using namespace tgmap_test;
using tgmap::byte_order;
using tgmap::dtype;
using tgmap::codec::find_non_finite;

BOOST_AUTO_TEST_SUITE(non_finite_test)

// All 65,536 numbers of two bytes, in both byte orders.
BOOST_AUTO_TEST_CASE(every_half) {
  for (const auto& [type, exponent] : {std::pair(dtype::float16, 0x7c00U), std::pair(dtype::bfloat16, 0x7f80U)})
    for (const byte_order order : {byte_order::little, byte_order::big}) {
      unsigned wrong = 0;
      for (unsigned bits = 0; bits <= 0xffff; ++bits) {
        const bytes one = number_of_bytes(bits, 2, order);
        const bool odd = (bits & exponent) == exponent;
        wrong += find_non_finite(span_of(one), type, order) != (odd ? std::optional<std::uint64_t>(0) : std::nullopt);
      }
      BOOST_TEST(wrong == 0u, wrong << " numbers of " << to_string_view(type));
    }
}

BOOST_AUTO_TEST_CASE(every_place) {
  guarded_bytes last(8192);
  for (const float_pattern& each : float_patterns)
    for (const byte_order order : {byte_order::little, byte_order::big}) {
      const std::size_t component = swap_unit(each.type), per_element = element_size(each.type) / component;
      unsigned wrong = 0;
      for (const std::size_t n : {1, 2, 15, 64, 127, 128, 129, 300}) {
        const bytes clean = all_finite(each, n, order);
        wrong += find_non_finite(last.hold(clean), each.type, order).has_value();
        for (std::size_t at = 0; at < n * per_element; ++at)
          for (const std::uint64_t odd : {each.nan, each.least_nan, each.infinity, each.minus_infinity}) {
            bytes data = clean;
            data.replace(at * component, component, number_of_bytes(odd, component, order));
            wrong += find_non_finite(last.hold(data), each.type, order) != at / per_element;
          }
      }
      BOOST_TEST(wrong == 0u, wrong << " of " << to_string_view(each.type));
    }
}

BOOST_AUTO_TEST_CASE(first_of_several_at_any_address) {
  const float_pattern& doubles = float_patterns[3];
  for (std::size_t ahead = 0; ahead < 16; ++ahead) {
    bytes data = bytes(ahead, '\xff') + all_finite(doubles, 1000, byte_order::big);
    for (const std::size_t at : {999, 700, 431, 3}) {
      data.replace(ahead + at * 8, 8, number_of_bytes(doubles.nan, 8, byte_order::big));
      BOOST_TEST(find_non_finite(span_of(data).subspan(ahead), dtype::float64, byte_order::big).value() == at);
    }
  }
}

BOOST_AUTO_TEST_CASE(types_without_nan) {
  const bytes ones(4096, '\xff');
  for (const dtype type : {dtype::int8, dtype::int16, dtype::int32, dtype::int64, dtype::uint8, dtype::uint16,
                           dtype::uint32, dtype::uint64, dtype::bitmask})
    BOOST_TEST(!find_non_finite(span_of(ones), type, byte_order::little));
  BOOST_TEST(!find_non_finite({}, dtype::float64, byte_order::little));
}

BOOST_AUTO_TEST_SUITE_END()

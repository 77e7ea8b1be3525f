// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>

#include "validate/non_finite.hpp"

using namespace tgmap_test;
using tgmap::byte_order;
using tgmap::dtype;
using tgmap::validation::find_non_finite;
using tgmap::validation::non_finite;

BOOST_AUTO_TEST_SUITE(non_finite_elements)

namespace {

/// Searches in components given as patterns of `width` bytes, in both byte orders.
void expect(dtype of, unsigned width, std::initializer_list<std::uint64_t> patterns, std::uint64_t index,
            non_finite kind, unsigned component = 0) {
  bytes big, little;
  for (const std::uint64_t pattern : patterns) {
    bytes one = big_endian(pattern, width);
    big += one;
    std::reverse(one.begin(), one.end());
    little += one;
  }
  for (const auto& [data, order] : {std::pair{big, byte_order::big}, {little, byte_order::little}}) {
    const auto found = find_non_finite(span_of(data), of, order);
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(found->index == index);
    BOOST_TEST((found->kind == kind));
    BOOST_TEST(found->component == component);
    BOOST_TEST(!find_non_finite(span_of(data), of, order, index + 1).has_value());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_floating_dtype) {
  expect(dtype::float16, 2, {0x7bff, 0x7c00}, 1, non_finite::infinity);
  expect(dtype::float16, 2, {0x0001, 0xfc01}, 1, non_finite::nan);
  expect(dtype::bfloat16, 2, {0x7f7f, 0xff80}, 1, non_finite::infinity);
  expect(dtype::bfloat16, 2, {0x7fc0}, 0, non_finite::nan);
  expect(dtype::float32, 4, {0x7f7fffff, 0, 0xff800000}, 2, non_finite::infinity);
  expect(dtype::float32, 4, {0x7f800001}, 0, non_finite::nan);
  expect(dtype::float64, 8, {0x7fefffffffffffff, 0x7ff0000000000000}, 1, non_finite::infinity);
  expect(dtype::float64, 8, {0xfff0000000000001}, 0, non_finite::nan);
}

BOOST_AUTO_TEST_CASE(components_of_complex_numbers) {
  expect(dtype::complex64, 4, {0, 0, 0, 0x7f800000}, 1, non_finite::infinity, 1);
  expect(dtype::complex64, 4, {0x7fc00000, 0x7f800000}, 0, non_finite::nan, 0);
  expect(dtype::complex128, 8, {0x7ff0000000000000, 0x7ff8000000000000}, 0, non_finite::nan, 1);
  expect(dtype::complex128, 8, {0x7ff0000000000000, 1}, 0, non_finite::infinity, 0);
}

BOOST_AUTO_TEST_CASE(other_dtypes_are_always_finite) {
  const bytes ones(64, '\xff');
  BOOST_TEST(!find_non_finite(span_of(ones), dtype::int32, byte_order::little).has_value());
  BOOST_TEST(!find_non_finite(span_of(ones), dtype::bitmask, byte_order::little).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

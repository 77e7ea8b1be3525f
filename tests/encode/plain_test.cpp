// SPDX-License-Identifier: Apache-2.0
// Objects that are stored as they are.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <codec/noise.hpp>
#include <encode/encoded.hpp>
#include <limits>
#include <support/failures.hpp>

using namespace tgmap_test;
using tgmap::byte_order;
using tgmap::dtype;
using tgmap::errc;
using tgmap::native_byte_order;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(plain_test)

namespace {

bytes reversed_by(std::size_t unit, bytes data) {
  for (std::size_t at = 0; at + unit <= data.size(); at += unit)
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at), data.begin() + static_cast<std::ptrdiff_t>(at + unit));
  return data;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_lies_right_is_not_copied) {
  for (const dtype type : every_dtype) {
    const bytes data = finite_noise(type, 6 * 7);
    for (const byte_order order : {byte_order::little, byte_order::big}) {
      new_object in = object_of(type, data, {6, 7});
      in.byte_order = order;
      const auto out = encode(in);
      BOOST_TEST_REQUIRE(!out.why, out.why.text());
      BOOST_TEST((out.what.payload.data() == in.data.data() && out.what.payload.size() == data.size()));
      BOOST_TEST((out.what.order == order));
      BOOST_TEST(out.what.mask_count == 0u);
      BOOST_TEST(out.what.unchecked == is_float(type), "of " << to_string_view(type));
      if (type == dtype::bitmask) continue;
      in.strides = {7, 1};
      BOOST_TEST((encode(in).what.payload.data() == in.data.data()));
      in.shape = {6, 1, 7};
      in.strides = {7, -5, 1};
      BOOST_TEST((encode(in).what.payload.data() == in.data.data()));
      in.shape = {5, 7};  // all but the first row
      in.strides = {7, 1};
      in.data_offset = 7;
      const auto rest = encode(in);
      BOOST_TEST((rest.what.payload.data() == in.data.data() + 7 * element_size(type)));
      BOOST_TEST(rest.what.payload.size() == 5 * 7 * element_size(type));
    }
  }
}

BOOST_AUTO_TEST_CASE(bytes_the_other_way_round) {
  for (const dtype type : every_dtype) {
    const bytes data = finite_noise(type, 35);
    for (const byte_order to : {byte_order::little, byte_order::big}) {
      new_object in = object_of(type, data, {35});
      in.stored_byte_order = to;
      const auto out = encode(in);
      BOOST_TEST_REQUIRE(!out.why, out.why.text());
      BOOST_TEST((out.what.order == to));
      BOOST_TEST((out.payload == (to == native_byte_order ? data : reversed_by(swap_unit(type), data))),
                 to_string_view(type));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_transposed_part_backwards_and_swapped) {
  for (const dtype type : every_dtype) {
    if (type == dtype::bitmask) continue;
    const std::size_t w = element_size(type);
    const bytes data = finite_noise(type, 6 * 7);
    new_object in = object_of(type, data, {3, 6});  // columns 6, 4, 2 of a table of 6 by 7
    in.data_offset = 6;
    in.strides = {-2, 7};
    in.byte_order = byte_order::big;
    in.stored_byte_order = byte_order::little;
    bytes wanted;
    for (const std::size_t column : {6, 4, 2})
      for (std::size_t row = 0; row < 6; ++row)
        wanted += reversed_by(swap_unit(type), data.substr((row * 7 + column) * w, w));
    const auto out = encode(in);
    BOOST_TEST(!out.what.unchecked);
    BOOST_TEST((out.payload == wanted), to_string_view(type));
  }
}

BOOST_AUTO_TEST_CASE(one_element_and_none) {
  for (const dtype type : every_dtype) {
    const bytes data = finite_noise(type, 1);
    BOOST_TEST((encode(object_of(type, data, {})).payload == data));
    for (const auto& shape : {std::vector<std::uint64_t>{0}, {3, 0, 5}, {0, UINT64_MAX, UINT64_MAX}}) {
      const auto out = encode(object_of(type, bytes(), shape));
      BOOST_TEST(!out.why);
      BOOST_TEST(out.what.payload.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_same_element_again_and_again) {
  const bytes data = native<double>({2.5});
  new_object in = object_of(dtype::float64, data, {3, 4});
  in.strides = {0, 0};
  bytes wanted;
  for (int i = 0; i < 12; ++i) wanted += data;
  BOOST_TEST((encode(in).payload == wanted));
}

BOOST_AUTO_TEST_CASE(bits_behind_the_last_one_are_zero) {
  for (std::uint64_t n = 1; n <= 17; ++n) {
    const bytes ones((n + 7) / 8, '\xff');
    bytes clean = ones;
    if (n % 8 != 0) clean.back() = static_cast<char>(0xff << (8 - n % 8));
    const auto dirty = encode(object_of(dtype::bitmask, ones, {n}));
    BOOST_TEST((dirty.payload == clean));
    const new_object as_is = object_of(dtype::bitmask, clean, {n});
    BOOST_TEST((encode(as_is).what.payload.data() == as_is.data.data()));
  }
}

BOOST_AUTO_TEST_CASE(nan_where_elements_are_gathered) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const bytes data = native<double>({0, 1, nan, 3, 4, 5});
  new_object in = object_of(dtype::float64, data, {3, 2});
  in.strides = {1, 3};
  const auto refused = encode(in);
  TGMAP_FAILED(refused.why, errc::non_finite);
  BOOST_TEST(refused.why.found == 4u);  // third row, first column
  in.pipeline.missing.check_elements = false;
  BOOST_TEST(!encode(in).why);
  BOOST_TEST(!encode(in).what.unchecked);

  const auto left = encode(object_of(dtype::float64, data, {6}));
  BOOST_TEST(!left.why);
  BOOST_TEST(left.what.unchecked);
  BOOST_TEST(tgmap::encode::find_non_finite(left.what.payload, dtype::float64, left.what.order).value() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

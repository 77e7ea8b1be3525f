// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <encode/encoded.hpp>
#include <support/failures.hpp>

using namespace tgmap_test;
using tgmap::dtype;
using tgmap::errc;
using tgmap::failure;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(object_plan_test)

namespace {

failure checked(const new_object& in, int version = 3) {
  std::uint64_t elements = 0, size = 0;
  return tgmap::encode::check_object(in, version, elements, size);
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes) {
  for (const dtype type : every_dtype)
    for (const std::uint64_t n : {0, 1, 7, 8, 9, 100}) {
      const bytes data = finite_noise(type, n), more = data + '\0';
      std::uint64_t elements = 77, size = 77;
      TGMAP_SUCCEEDED(tgmap::encode::check_object(object_of(type, data, {n}), 3, elements, size));
      BOOST_TEST(elements == n);
      BOOST_TEST(size == data.size());
      const failure longer = checked(object_of(type, more, {n}));
      TGMAP_FAILED(longer, errc::payload_size_mismatch);
      BOOST_TEST(longer.expected == data.size());
      BOOST_TEST(longer.found == data.size() + 1);
      if (data.empty()) continue;
      const bytes less = data.substr(1);
      TGMAP_FAILED(checked(object_of(type, less, {n})), errc::payload_size_mismatch);
    }
}

BOOST_AUTO_TEST_CASE(shapes) {
  constexpr std::uint64_t large = std::uint64_t{1} << 32;
  const bytes one(8, '\0'), none;
  TGMAP_SUCCEEDED(checked(object_of(dtype::float64, one, std::vector<std::uint64_t>(tgmap::max_rank, 1))));
  const failure deep = checked(object_of(dtype::float64, one, std::vector<std::uint64_t>(tgmap::max_rank + 1, 1)));
  TGMAP_FAILED(deep, errc::too_many_dimensions);
  BOOST_TEST(deep.expected == tgmap::max_rank);
  BOOST_TEST(deep.found == tgmap::max_rank + 1);
  TGMAP_FAILED(checked(object_of(dtype::uint8, none, {large, large})), errc::shape_overflow);
  TGMAP_FAILED(checked(object_of(dtype::uint16, none, {large, large / 2})), errc::shape_overflow);
  TGMAP_FAILED(checked(object_of(dtype::uint8, none, {large, large / 2})), errc::payload_size_mismatch);
  TGMAP_SUCCEEDED(checked(object_of(dtype::float64, none, {large, 0, large})));
}

BOOST_AUTO_TEST_CASE(strides) {
  const bytes data(12 * 4, '\0');
  new_object in = object_of(dtype::float32, data, {3, 4});
  in.strides = {4};
  const failure few = checked(in);
  TGMAP_FAILED(few, errc::invalid_strides);
  BOOST_TEST(few.expected == 2u);
  BOOST_TEST(few.found == 1u);
  in.strides = {1, 3};
  TGMAP_SUCCEEDED(checked(in));
  in.strides = {1, 4};
  const failure far = checked(in);
  TGMAP_FAILED(far, errc::invalid_strides);
  BOOST_TEST(far.expected == 12u);
  BOOST_TEST(far.found == 15u);
  in.strides = {-4, 1};
  TGMAP_FAILED(checked(in), errc::invalid_strides);
  in.data_offset = 8;
  TGMAP_SUCCEEDED(checked(in));
  in.data_offset = 9;
  TGMAP_FAILED(checked(in), errc::invalid_strides);
  in.data_offset = UINT64_MAX;
  TGMAP_FAILED(checked(in), errc::invalid_strides);

  in.strides.clear();
  TGMAP_FAILED(checked(in), errc::shape_overflow);
  in.data_offset = 2;
  TGMAP_FAILED(checked(in), errc::payload_size_mismatch);
  in.shape = {10};
  TGMAP_SUCCEEDED(checked(in));

  const bytes odd(12 * 4 - 1, '\0');  // the last element is incomplete
  new_object cut = object_of(dtype::float32, odd, {3, 4});
  cut.strides = {1, 3};
  TGMAP_FAILED(checked(cut), errc::invalid_strides);
  cut.shape = {0, 4};
  TGMAP_SUCCEEDED(checked(cut));  // no element is read
}

BOOST_AUTO_TEST_CASE(bits_are_in_c_order) {
  const bytes data(2, '\0');
  new_object in = object_of(dtype::bitmask, data, {3, 4});
  for (const auto& [strides, right] : std::vector<std::pair<std::vector<std::int64_t>, bool>>{
           {{}, true}, {{4, 1}, true}, {{1, 3}, false}, {{-4, 1}, false}, {{0, 1}, false}}) {
    in.strides = strides;
    BOOST_TEST(!checked(in) == right);
    if (!right) TGMAP_FAILED(checked(in), errc::invalid_strides);
  }
  in.strides = {4, 1};
  in.data_offset = 1;
  TGMAP_FAILED(checked(in), errc::invalid_strides);
  in.data_offset = 0;
  in.shape = {3, 1, 4};
  in.strides = {4, 17, 1};
  TGMAP_SUCCEEDED(checked(in));
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Elements as numbers: every dtype, both byte orders, slices, strides and masks, and the errors.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <random>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>

#include "picture/field.hpp"

using namespace tgmap_test;
using namespace tgmap::picture;
using namespace tgmap::grids;
using tgmap::stride_policy;

BOOST_AUTO_TEST_SUITE(field_test)

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

struct one_object {
  explicit one_object(const object_spec& spec) : data(message({.objects = {spec}})) {}
  bytes data;
  tgmap::archive archive = tgmap::archive::from_memory(span_of(data));
  tgmap::object object = archive[0][0];
  tgmap::descriptor what = object.descriptor();
};

std::vector<double> load(const one_object& from, const slice& part, stride_policy order = stride_policy::apply) {
  std::vector<double> out;
  load_field(from.object, part, {.strides = order}, [&](std::uint64_t at, std::span<const double> numbers) {
    BOOST_TEST(at == out.size());
    BOOST_TEST(!numbers.empty());
    out.insert(out.end(), numbers.begin(), numbers.end());
  });
  return out;
}

std::vector<double> load(const object_spec& object) {
  const one_object from(object);
  return load(from, full_slice(from.what.shape()));
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
           return x == y || (std::isnan(x) && std::isnan(y));
         });
}

bytes swapped(bytes data, std::size_t unit) {
  for (std::size_t i = 0; i + unit <= data.size(); i += unit) std::reverse(&data[i], &data[i] + unit);
  return data;
}

/// Checks elements in both byte orders.
template <class T>
void check_elements(const char* dtype, std::initializer_list<T> elements, const std::vector<double>& numbers,
                    std::size_t unit = sizeof(T)) {
  object_spec object{.dtype = dtype, .shape = {numbers.size()}, .payload = native(elements)};
  BOOST_TEST(same(load(object), numbers), dtype);
  object.payload = swapped(object.payload, unit);
  object.byte_order = "big";
  BOOST_TEST(same(load(object), numbers), dtype << ", big endian");
}

object_spec counting(std::vector<std::uint64_t> shape) {
  const std::uint64_t n = std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
  object_spec out{.dtype = "int32", .shape = std::move(shape)};
  for (std::uint64_t i = 0; i < n; ++i) out.payload += native<std::int32_t>({static_cast<std::int32_t>(i)});
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_dtype) {
  using limits = std::numeric_limits<std::int64_t>;
  check_elements<std::int8_t>("int8", {-128, 0, 127}, {-128, 0, 127});
  check_elements<std::uint8_t>("uint8", {0, 200, 255}, {0, 200, 255});
  check_elements<std::int16_t>("int16", {-32768, 5, 32767}, {-32768, 5, 32767});
  check_elements<std::uint16_t>("uint16", {0, 5, 65535}, {0, 5, 65535});
  check_elements<std::int32_t>("int32", {INT32_MIN, 5, INT32_MAX}, {INT32_MIN, 5, INT32_MAX});
  check_elements<std::uint32_t>("uint32", {0, 5, UINT32_MAX}, {0, 5, UINT32_MAX});
  check_elements<std::int64_t>("int64", {limits::min(), -1, std::int64_t{1} << 53}, {-0x1p63, -1, 0x1p53});
  check_elements<std::uint64_t>("uint64", {0, 5, UINT64_MAX}, {0, 5, 0x1p64});
  check_elements<float>("float32", {-1.5f, 1e-40f, INFINITY, NAN}, {-1.5, static_cast<double>(1e-40f), inf, missing});
  check_elements<double>("float64", {-1.5, 1e-310, -inf, missing}, {-1.5, 1e-310, -inf, missing});
  check_elements<std::uint16_t>("float16", {0x3c00, 0xc000, 0x0001, 0x7c00, 0x7e00}, {1, -2, 0x1p-24, inf, missing});
  check_elements<std::uint16_t>("bfloat16", {0x3f80, 0xc000, 0x7f80, 0x7fc0}, {1, -2, inf, missing});
  check_elements<float>("complex64", {3, 4, -5, 12, NAN, 0, INFINITY, NAN, INFINITY, 1, 3e38f, 1e38f},
                        {5, 13, missing, missing, inf, std::hypot(double{3e38f}, double{1e38f})}, 4);
  check_elements<double>("complex128", {3, 4, 3e307, 4e307, missing, inf, 1, -inf}, {5, 5e307, missing, inf}, 8);
}

BOOST_AUTO_TEST_CASE(bits) {
  const object_spec object{.dtype = "bitmask", .shape = {11}, .payload = "\xa5\xe0"};
  BOOST_TEST(same(load(object), {1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1}));
}

BOOST_AUTO_TEST_CASE(many_elements_come_in_blocks) {
  const auto numbers = load(counting({10'000}));
  BOOST_TEST_REQUIRE(numbers.size() == 10'000u);
  for (std::size_t i = 0; i < numbers.size(); ++i) BOOST_TEST_REQUIRE(numbers[i] == i);
}

BOOST_AUTO_TEST_CASE(no_elements_and_one) {
  BOOST_TEST(load(counting({0})).empty());
  BOOST_TEST(load(counting({3, 0, 5})).empty());
  BOOST_TEST(same(load(counting({})), {0}));
}

BOOST_AUTO_TEST_CASE(any_slice_of_any_dense_layout) {
  std::mt19937 random(5);
  const auto upto = [&](std::uint64_t n) { return random() % n; };
  for (int round = 0; round < 400; ++round) {
    std::vector<std::uint64_t> shape(upto(5));
    for (auto& n : shape) n = 1 + upto(round % 10 == 0 ? 40 : 6);
    std::vector<std::size_t> order(shape.size());  // slowest first
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<std::uint64_t> strides(shape.size());
    std::uint64_t step = 1;
    for (std::size_t i = order.size(); i-- > 0; step *= shape[order[i]]) strides[order[i]] = step;

    object_spec object = counting(shape);
    object.strides = strides;
    const one_object from(object);
    slice part = full_slice(shape);
    for (auto& e : part.dimensions) {
      e.begin = upto(e.full_size);
      e.step = 1 + upto(3);
      e.size = 1 + upto((e.full_size - e.begin - 1) / e.step + 1);
      e.is_index = e.size == 1 && upto(2) == 0;
    }
    std::vector<double> wanted, as_stored;
    std::vector<std::uint64_t> index(shape.size());
    for (std::uint64_t i = 0; i < part.elements(); ++i) {
      std::uint64_t left = i, at = 0, at_stored = 0, dense = 1;
      for (std::size_t d = shape.size(); d-- > 0;) {
        const auto& e = part.dimensions[d];
        at += e.index(left % e.size) * strides[d];
        at_stored += e.index(left % e.size) * dense;
        dense *= shape[d];
        left /= e.size;
      }
      wanted.push_back(static_cast<double>(at));
      as_stored.push_back(static_cast<double>(at_stored));
    }
    BOOST_TEST(same(load(from, part), wanted), part.text());
    BOOST_TEST(same(load(from, part, stride_policy::ignore), as_stored), part.text());
  }
}

BOOST_AUTO_TEST_CASE(masked_elements_are_restored) {
  object_spec object{.dtype = "float32", .shape = {2, 3}, .payload = native<float>({1, 0, 3, 0, 0, 6})};
  object.masks = {{.kind = "nan", .method = "none", .blob = "\x40"},
                  {.kind = "inf+", .method = "rle", .blob = bytes("\0\3\1\2", 4)},
                  {.kind = "inf-", .method = "none", .blob = "\x08"}};
  BOOST_TEST(same(load(object), {1, missing, 3, inf, -inf, 6}));
  const one_object from(object);
  BOOST_TEST(same(load(from, {{{0, 2, 2}, {1, 1, 3, true}}}), {missing, -inf}));
}

BOOST_AUTO_TEST_CASE(encoded_objects_are_decoded) {
  const one_object packed(
      {.dtype = "float64",
       .shape = {2, 3},
       .payload = "\x01\x23\x45",
       .encoding = "simple_packing",
       .more = {cbor::key("sp_reference_value", cbor::real(250)), cbor::key("sp_binary_scale_factor", cbor::integer(1)),
                cbor::key("sp_decimal_scale_factor", cbor::integer(0)),
                cbor::key("sp_bits_per_value", cbor::integer(4))}});
  BOOST_TEST(same(load(packed, full_slice(packed.what.shape())), {250, 252, 254, 256, 258, 260}));
  BOOST_TEST(same(load(packed, {{{0, 2, 2}, {1, 1, 3, true}}}), {252, 258}));
  BOOST_TEST(same(load(packed, {{{0, 2, 2}, {0, 2, 3, false, 2}}}), {250, 254, 256, 260}));
}

BOOST_AUTO_TEST_CASE(unreadable_objects_are_errors) {
  using tgmap::errc;
  const auto refused = [](const object_spec& object, errc why) { TGMAP_THROWS(load(object), why); };
  object_spec object = bytes_object("abcd");
  object.encoding = "more_packing";
  refused(object, errc::unknown_codec);
  object = bytes_object("abcd");
  object.filter = "shuffle";
  refused(object, errc::bad_parameter);
  object = bytes_object("abcd");
  object.compression = "rle";
  refused(object, errc::bad_combination);
  object = numbers_object<float>("float32", {1});
  object.masks = {{.kind = "nan", .method = "none", .blob = "xx"}};
  refused(object, errc::bad_mask);
  object.masks = {{.kind = "nan", .method = "rle", .blob = "\1\3"}};
  refused(object, errc::bad_mask);
  object = bytes_object("abcd");
  object.shape = {5};
  refused(object, errc::decoded_size_mismatch);
  object.shape = {2, 2};
  object.strides = {{2, 2}};
  refused(object, errc::unsupported_strides);
  object.strides = {{2}};
  refused(object, errc::unsupported_strides);
  BOOST_TEST(same(load(one_object(object), full_slice(object.shape), stride_policy::ignore), {97, 98, 99, 100}));
}

BOOST_AUTO_TEST_CASE(shapes_that_do_not_fit_the_payload_are_errors) {
  object_spec object{.dtype = "float32", .shape = {std::uint64_t{1} << 32, std::uint64_t{1} << 31}, .payload = "abcd"};
  TGMAP_THROWS(load(object), tgmap::errc::shape_overflow);
  object.shape = {std::uint64_t{1} << 40};
  TGMAP_THROWS(load(object), tgmap::errc::decoded_size_mismatch);  // certain, whatever the limit
}

BOOST_AUTO_TEST_CASE(all_modes_agree_and_truncation_is_an_error) {
  BOOST_TEST(!tgmap::mapping_guard::install());
  const temporary_directory files;
  const auto path = files.file("f.tgm", message({.objects = {counting({300, 1000})}}));
  for (const tgmap::io_mode mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const tgmap::archive archive(path, {.io = mode});
    const tgmap::object object = archive[0][0];
    const tgmap::descriptor what = object.descriptor();
    double sum = 0;
    load_field(object, full_slice(what.shape()), {}, [&](std::uint64_t, std::span<const double> numbers) {
      sum = std::accumulate(numbers.begin(), numbers.end(), sum);
    });
    BOOST_TEST(sum == 299'999.0 * 300'000 / 2);
  }

  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  const tgmap::object object = archive[0][0];
  const tgmap::descriptor descriptor = object.descriptor();
  std::uint64_t seen = 0;
  const auto truncate_while_reading = [&] {
    load_field(object, full_slice(descriptor.shape()), {}, [&](std::uint64_t, std::span<const double> numbers) {
      seen += numbers.size();
      std::filesystem::resize_file(path, 100);
    });
  };
  TGMAP_THROWS(truncate_while_reading(), tgmap::errc::file_shrank);
  BOOST_TEST(seen < 300'000u);
}

BOOST_AUTO_TEST_SUITE_END()

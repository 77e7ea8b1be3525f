// SPDX-License-Identifier: Apache-2.0
// NaN and infinities are rejected, or kept as masks. Spec: §6.2.
#include <cstring>
#include <encode/round_trip.hpp>
#include <limits>
#include <random>
#include <support/failures.hpp>

#include "codec/masks/mask_values.hpp"

using namespace tgmap_test;
using tgmap::byte_order;
using tgmap::compression;
using tgmap::dtype;
using tgmap::encoding;
using tgmap::errc;
using tgmap::filter;
using tgmap::mask_kind;
using tgmap::mask_method;
using tgmap::native_byte_order;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(missing_masks_test)

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
constexpr mask_method every_method[] = {mask_method::none, mask_method::rle,  mask_method::roaring,
                                        mask_method::lz4,  mask_method::zstd, mask_method::blosc2};

/// Replaces the missing elements of one kind by their value.
bytes with_missing(bytes data, dtype type, mask_kind kind, std::initializer_list<std::size_t> which) {
  bytes bits((data.size() / element_size(type) + 7) / 8, '\0');
  for (const std::size_t i : which) bits[i / 8] |= static_cast<char>(0x80 >> i % 8);
  tgmap::codec::restore_masked(span_of(bits), kind, type, native_byte_order, 0,
                               {reinterpret_cast<std::byte*>(data.data()), data.size()});
  return data;
}

new_object allowing(dtype type, const bytes& data, std::vector<std::uint64_t> shape) {
  new_object out = object_of(type, data, std::move(shape));
  out.pipeline.missing.allow_nan = out.pipeline.missing.allow_infinity = true;
  return out;
}

bytes doubles(std::initializer_list<double> values) { return native<double>(values); }

}  // namespace

BOOST_AUTO_TEST_CASE(every_method_and_type) {
  for (const dtype type : every_dtype) {
    if (!is_float(type)) continue;
    bytes data = finite_noise(type, 3000);
    data = with_missing(data, type, mask_kind::nan, {0, 7, 8, 300, 301, 302, 2999});
    data = with_missing(data, type, mask_kind::positive_infinity, {1, 64, 1000});
    data = with_missing(data, type, mask_kind::negative_infinity, {2, 2998});
    for (const mask_method method : every_method)
      for (const byte_order order : {byte_order::little, byte_order::big})
        for (const auto filter : {filter::none, filter::shuffle}) {
          new_object in = allowing(type, data, {3, 1000});
          auto& how = in.pipeline.missing;
          how.nan = how.positive_infinity = how.negative_infinity = method;
          in.stored_byte_order = order;
          in.pipeline.filter = filter;
          const auto out = encode(in);
          if (out.why.code == errc::codec_absent) continue;
          BOOST_TEST_REQUIRE(!out.why, out.why.text());
          BOOST_TEST(!out.what.unchecked);
          BOOST_TEST_REQUIRE(out.what.mask_count == 3u);
          for (std::size_t k = 0; k < 3; ++k) {
            BOOST_TEST((out.what.masks[k].kind == static_cast<mask_kind>(k)));
            BOOST_TEST((out.what.masks[k].method == method));
          }
          BOOST_TEST((read_back(in, out.what) == data), to_string_view(type) << " by " << method_name(method));
        }
  }
}

BOOST_AUTO_TEST_CASE(missing_elements_are_stored_as_zero) {
  const bytes data = doubles({1, nan, 2, infinity, -infinity, 3});
  const auto out = encode(allowing(dtype::float64, data, {6}));
  BOOST_TEST((out.payload == doubles({1, 0, 2, 0, 0, 3})));
  BOOST_TEST(data == doubles({1, nan, 2, infinity, -infinity, 3}));  // the caller's memory is unchanged
  BOOST_TEST_REQUIRE(out.what.mask_count == 3u);
  BOOST_TEST((view_of(out.what.masks[0].blob) == "\x40"));
  BOOST_TEST((view_of(out.what.masks[1].blob) == "\x10"));
  BOOST_TEST((view_of(out.what.masks[2].blob) == "\x08"));
}

BOOST_AUTO_TEST_CASE(kinds_of_complex_numbers) {
  struct row {
    double real, imaginary;
    int kind;  ///< -1: finite
  };
  const row rows[] = {{1, 2, -1},
                      {nan, 1, 0},
                      {1, nan, 0},
                      {nan, infinity, 0},
                      {-infinity, nan, 0},
                      {infinity, 1, 1},
                      {1, infinity, 1},
                      {infinity, -infinity, 1},
                      {-infinity, infinity, 1},
                      {-infinity, 1, 2},
                      {1, -infinity, 2},
                      {-infinity, -infinity, 2}};
  for (const row& each : rows) {
    const bytes data = doubles({each.real, each.imaginary});
    const auto out = encode(allowing(dtype::complex128, data, {1}));
    BOOST_TEST(out.what.mask_count == (each.kind < 0 ? 0u : 1u));
    if (each.kind >= 0) {
      BOOST_TEST((out.what.masks[0].kind == static_cast<mask_kind>(each.kind)));
      BOOST_TEST((out.payload == bytes(16, '\0')));
    }
    const new_object refused = object_of(dtype::complex128, data, {1});
    const auto bad = tgmap::encode::find_non_finite(refused.data, dtype::complex128, native_byte_order);
    BOOST_TEST(bad.has_value() == (each.kind >= 0));
  }
}

BOOST_AUTO_TEST_CASE(first_element_that_is_not_allowed) {
  const bytes data = doubles({1, infinity, nan, 2, -infinity});
  for (const bool allow_nan : {false, true})
    for (const bool allow_infinite : {false, true})
      for (const auto filter : {filter::none, filter::shuffle})
        for (const auto encoding : {encoding::none, encoding::simple_packing}) {
          new_object in = object_of(dtype::float64, data, {5});
          in.pipeline.filter = filter;
          in.pipeline.encoding = encoding;
          in.pipeline.missing.allow_nan = allow_nan;
          in.pipeline.missing.allow_infinity = allow_infinite;
          const auto out = encode(in);
          if (out.what.unchecked || (allow_nan && allow_infinite)) {
            BOOST_TEST(!out.why, out.why.text());
            continue;
          }
          TGMAP_FAILED(out.why, errc::non_finite);
          BOOST_TEST(out.why.found == (allow_infinite ? 2u : 1u));
        }
}

BOOST_AUTO_TEST_CASE(elements_are_not_copied_if_none_is_missing) {
  const bytes data = finite_noise(dtype::float32, 5000);
  const new_object in = allowing(dtype::float32, data, {5000});
  const auto out = encode(in);
  BOOST_TEST((out.what.payload.data() == in.data.data()));
  BOOST_TEST(out.what.mask_count == 0u);
  BOOST_TEST(!out.what.unchecked);  // the elements were checked
}

BOOST_AUTO_TEST_CASE(simple_packing_with_masks) {
  const bytes data = doubles({nan, 273.5, 280, infinity, 275.25, -infinity, 300, nan});
  for (const auto& [reference, scale] : std::vector<std::pair<double, int>>{{0, 0}, {273.5, -8}, {200, -8}}) {
    new_object in = allowing(dtype::float64, data, {8});
    in.pipeline.encoding = encoding::simple_packing;
    if (reference != 0) in.pipeline.packing = {.bits = 16, .reference = reference, .binary_scale = scale};
    const auto out = encode(in);
    BOOST_TEST_REQUIRE(!out.why, out.why.text());
    BOOST_TEST(out.what.packing.reference == (reference != 0 ? reference : 273.5));
    BOOST_TEST(out.what.mask_count == 3u);
    const bytes back = read_back(in, out.what);
    for (std::size_t i = 0; i < 8; ++i) {
      double a, b;
      std::memcpy(&a, data.data() + 8 * i, 8);
      std::memcpy(&b, back.data() + 8 * i, 8);
      BOOST_TEST((std::isnan(a) ? std::isnan(b) : a == b || std::abs(a - b) < 0.01), a << " became " << b);
    }
    // Masked elements are packed as zero, clamped, as in the reference implementation.
    const auto masked = static_cast<unsigned char>(out.payload[0]) << 8 | static_cast<unsigned char>(out.payload[1]);
    BOOST_TEST(masked == 0);
    in.pipeline.packing = {.bits = 8, .reference = 273.5, .binary_scale = -8};  // 300 does not fit
    TGMAP_FAILED(encode(in).why, errc::not_representable);
    BOOST_TEST(encode(in).why.found == 2u);
  }
}

BOOST_AUTO_TEST_CASE(all_missing) {
  const bytes data = doubles({nan, nan, nan});
  for (const auto encoding : {encoding::none, encoding::simple_packing})
    for (const unsigned bits : {0, 1, 16, 64}) {
      new_object in = allowing(dtype::float64, data, {3});
      in.pipeline.encoding = encoding;
      in.pipeline.packing.bits = bits;
      const auto out = encode(in);
      BOOST_TEST_REQUIRE(!out.why, out.why.text());
      BOOST_TEST(out.what.packing.reference == 0);
      const bytes back = read_back(in, out.what);
      for (std::size_t i = 0; i < 3; ++i) {
        double b;
        std::memcpy(&b, back.data() + 8 * i, 8);
        BOOST_TEST(std::isnan(b));
      }
    }
}

BOOST_AUTO_TEST_CASE(small_masks) {
  std::mt19937 next(3);
  for (const std::size_t n : {1000, 1024, 1025, 100000})
    for (const unsigned every : {2u, 50u, 5000u}) {
      std::vector<float> values(n, 1.5F);
      for (auto& each : values)
        if (next() % every == 0) each = std::numeric_limits<float>::quiet_NaN();
      values[n / 2] = std::numeric_limits<float>::quiet_NaN();
      const bytes data(reinterpret_cast<const char*>(values.data()), n * sizeof(float));
      new_object in = allowing(dtype::float32, data, {n});
      auto& how = in.pipeline.missing;
      how.nan = mask_method::rle;
      BOOST_TEST((encode(in).what.masks[0].method == (n <= 1024 ? mask_method::none : mask_method::rle)));
      how.small_mask_bytes = 0;
      BOOST_TEST((encode(in).what.masks[0].method == mask_method::rle));

      std::size_t least = SIZE_MAX;
      for (const mask_method method : every_method) {
        how.nan = method;
        const auto out = encode(in);
        if (!out.why) least = std::min(least, out.what.masks[0].blob.size());
      }
      how.nan.reset();
      const auto out = encode(in);
      BOOST_TEST(out.what.masks[0].blob.size() == least);
      const bytes back = read_back(in, out.what);
      unsigned wrong = 0;
      for (std::size_t i = 0; i < n; ++i) {
        float b;
        std::memcpy(&b, back.data() + i * sizeof b, sizeof b);
        wrong += std::isnan(values[i]) != std::isnan(b);
      }
      BOOST_TEST(wrong == 0u);
    }
}

BOOST_AUTO_TEST_CASE(unchecked_elements) {
  const bytes data = doubles({1, nan, infinity});
  new_object in = object_of(dtype::float64, data, {3});
  in.pipeline.missing.check_elements = false;
  for (const auto compression : {compression::none, compression::zstd}) {
    in.pipeline.compression = compression;
    const auto out = encode(in);
    if (out.why.code == errc::codec_absent) continue;
    BOOST_TEST(!out.what.unchecked);
    BOOST_TEST((read_back(in, out.what) == data));
  }
  in.pipeline = {.encoding = encoding::simple_packing};
  in.pipeline.missing.check_elements = false;
  TGMAP_FAILED(encode(in).why, errc::bad_combination);
}

BOOST_AUTO_TEST_CASE(versions) {
  const bytes data = doubles({1, 2}), with_nan = doubles({1, nan}), with_infinity = doubles({-infinity, 2});
  TGMAP_SUCCEEDED(encode(allowing(dtype::float64, data, {2}), 3).why);
  TGMAP_SUCCEEDED(encode(allowing(dtype::float64, data, {2}), 2).why);  // no mask is written
  for (const bytes& missing : {with_nan, with_infinity}) {
    new_object in = allowing(dtype::float64, missing, {2});
    TGMAP_SUCCEEDED(encode(in, 3).why);
    const tgmap::failure refused = encode(in, 2).why;
    TGMAP_FAILED(refused, errc::unsupported_wire_version);
    BOOST_TEST(refused.expected == 3u);
    BOOST_TEST(refused.found == 2u);
    in.pipeline.compression = tgmap::compression::zstd;
    TGMAP_FAILED(encode(in, 2).why, errc::unsupported_wire_version);
    in.dtype = dtype::int64;  // integers have no NaN
    TGMAP_SUCCEEDED(encode(in, 2).why);
  }
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <codec/noise.hpp>
#include <encode/encoded.hpp>
#include <encode/round_trip.hpp>
#include <limits>
#include <map>
#include <support/failures.hpp>
#include <support/rounds.hpp>
#include <support/shared_data.hpp>

#include "codec/compressor.hpp"

using namespace tgmap_test;

// Every dtype through every pipeline and back.

using tgmap::byte_order;
using tgmap::compression;
using tgmap::dtype;
using tgmap::encoding;
using tgmap::errc;
using tgmap::filter;
using tgmap::native_byte_order;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(object_encoder_test)

namespace {

constexpr compression every_compression[] = {compression::none, compression::szip,   compression::zstd,
                                             compression::lz4,  compression::blosc2, compression::zfp,
                                             compression::sz3,  compression::rle,    compression::roaring};

bool there(compression which) { return which == compression::none || tgmap::codec::find_compressor(which) != nullptr; }

/// Returns integers from 0 to 20, which every dtype holds exactly.
bytes numbers(dtype type, std::uint64_t elements) {
  if (type == dtype::bitmask) return finite_noise(type, elements);
  std::vector<double> all(elements);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<double>((i * i + i / 7) % 21);
  const bytes plain(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(double));
  const bytes data = message({.objects = {{.dtype = "float64", .shape = {elements}, .payload = plain}}});
  const auto doubles = open(data);
  tgmap::failure why;
  return bytes_of(doubles[0][0].decode_as(type, why));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_valid_pipeline) {
  case_sampler cases(5);
  std::size_t tried = 0, refused = 0;
  std::map<compression, std::size_t> taken;
  for (const dtype type : every_dtype)
    for (const std::uint64_t n : {1, 8, 17, 1000}) {
      const bytes data = numbers(type, n);
      for (const auto encoding : {encoding::none, encoding::simple_packing})
        for (const auto filter : {filter::none, filter::shuffle})
          for (const auto compression : every_compression)
            for (const auto order : {byte_order::little, byte_order::big}) {
              if (!there(compression) || !cases.takes_next()) continue;
              new_object in = object_of(type, data, {n});
              in.stored_byte_order = order;
              in.pipeline = {.encoding = encoding, .filter = filter, .compression = compression};
              in.pipeline.packing.bits = 24;
              in.pipeline.zfp.tolerance = 1e-9;
              ++tried;
              const auto out = encode(in);
              if (out.why) {
                ++refused;
                BOOST_TEST(validate_pipeline(in.pipeline, type).code == out.why.code,
                           out.why.text() << ": " << to_string_view(type) << " by " << to_string_view(compression));
                continue;
              }
              if (compression == tgmap::compression::sz3) continue;  // lossy; tested below
              ++taken[compression];
              const bytes back = read_back(in, out.what);
              if (encoding == encoding::none && compression != tgmap::compression::zfp) {
                BOOST_TEST((back == data), to_string_view(type) << " by " << to_string_view(compression) << ", " << n);
                continue;
              }
              double most = 0;
              for (std::size_t i = 0; i < n; ++i) {
                double a, b;
                std::memcpy(&a, data.data() + i * sizeof a, sizeof a);
                std::memcpy(&b, back.data() + i * sizeof b, sizeof b);
                most = std::max(most, std::abs(a - b));
              }
              BOOST_TEST(most <= 2e-6, to_string_view(compression) << ", " << n << ": " << most);
            }
    }
  for (const auto compression : every_compression)
    if (there(compression) && compression != compression::sz3)
      BOOST_TEST(taken[compression] >= (all_rounds() ? 4u : 1u), to_string_view(compression)
                                                                     << ": " << taken[compression]);
  BOOST_TEST_MESSAGE(tried << " tried, " << refused << " refused");
}

BOOST_AUTO_TEST_CASE(strides_and_byte_order_make_no_difference) {
  const bytes data = numbers(dtype::float64, 12 * 35);
  bytes turned(data.size(), '\0');  // Fortran order, big-endian
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 35; ++j)
      for (std::size_t k = 0; k < 8; ++k) turned[(j * 12 + i) * 8 + k] = data[(i * 35 + j) * 8 + 7 - k];
  constexpr auto other = native_byte_order == byte_order::little ? byte_order::big : byte_order::little;
  for (const auto encoding : {encoding::none, encoding::simple_packing})
    for (const auto compression : {compression::none, compression::zstd, compression::zfp, compression::sz3}) {
      if (!there(compression)) continue;
      new_object in = object_of(dtype::float64, data, {12, 35});
      in.pipeline = {.encoding = encoding, .compression = compression};
      new_object same = object_of(dtype::float64, turned, {12, 35});
      same.strides = {1, 12};
      same.byte_order = other;
      same.stored_byte_order = native_byte_order;
      same.pipeline = in.pipeline;
      const auto a = encode(in), b = encode(same);
      BOOST_TEST((a.why.code == b.why.code && a.payload == b.payload), to_string_view(compression));
      if (encoding == encoding::none && compression != compression::zfp && compression != compression::sz3) continue;
      same.stored_byte_order.reset();
      BOOST_TEST((encode(same).payload == a.payload), to_string_view(compression));
    }
}

BOOST_AUTO_TEST_CASE(reused_encoder) {
  tgmap::encode::object_encoder encoder;
  tgmap::encode::encoded_object out;
  for (unsigned round = 0; round < 3; ++round)
    for (const std::uint64_t n : {3000, 10, 500}) {
      const bytes data = numbers(dtype::float64, n);
      for (const auto filter : {filter::none, filter::shuffle})
        for (const auto encoding : {encoding::none, encoding::simple_packing}) {
          new_object in = object_of(dtype::float64, data, {n});
          in.pipeline = {.encoding = encoding, .filter = filter};
          TGMAP_SUCCEEDED(encoder.encode(in, 3, out));
          BOOST_TEST((bytes(view_of(out.payload)) == encode(in).payload));
          BOOST_TEST(out.block_offsets.empty());
        }
      encoder.trim();
    }
}

BOOST_AUTO_TEST_CASE(object_of_a_tensor) {
  const bytes data = numbers(dtype::float32, 30);
  const bytes stored = message({.objects = {{.dtype = "float32", .shape = {5, 6}, .payload = data}}});
  const auto archive = open(stored);
  const tgmap::tensor t = archive[0][0].decode();
  const new_object in = new_object::of(t);
  BOOST_TEST((in.shape == std::vector<std::uint64_t>{5, 6}));
  BOOST_TEST((encode(in).what.payload.data() == t.bytes().data()));
  const auto out = encode(in);
  BOOST_TEST((read_back(in, out.what) == data));
}

BOOST_AUTO_TEST_SUITE_END()

// Objects without a pipeline.

using tgmap::byte_order;
using tgmap::dtype;
using tgmap::errc;
using tgmap::native_byte_order;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(plain_objects_test)

namespace {

bytes reversed_by(std::size_t unit, bytes data) {
  for (std::size_t at = 0; at + unit <= data.size(); at += unit)
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at), data.begin() + static_cast<std::ptrdiff_t>(at + unit));
  return data;
}

}  // namespace

BOOST_AUTO_TEST_CASE(contiguous_elements_are_not_copied) {
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

BOOST_AUTO_TEST_CASE(reversed_bytes) {
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

BOOST_AUTO_TEST_CASE(transposed_reversed_and_swapped_part) {
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

BOOST_AUTO_TEST_CASE(one_element_and_no_elements) {
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

BOOST_AUTO_TEST_CASE(repeated_element) {
  const bytes data = native<double>({2.5});
  new_object in = object_of(dtype::float64, data, {3, 4});
  in.strides = {0, 0};
  bytes wanted;
  for (int i = 0; i < 12; ++i) wanted += data;
  BOOST_TEST((encode(in).payload == wanted));
}

BOOST_AUTO_TEST_CASE(bits_after_the_last_one_are_zero) {
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

BOOST_AUTO_TEST_CASE(nan_in_gathered_elements) {
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

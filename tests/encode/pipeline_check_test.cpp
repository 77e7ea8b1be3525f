// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <encode/encoded.hpp>
#include <support/failures.hpp>

#include "codec/compressor.hpp"

using namespace tgmap_test;
using tgmap::compression;
using tgmap::dtype;
using tgmap::encoding;
using tgmap::errc;
using tgmap::filter;
using tgmap::mask_method;
using tgmap::pipeline;

BOOST_AUTO_TEST_SUITE(pipeline_check_test)

BOOST_AUTO_TEST_CASE(stages_without_a_name) {
  TGMAP_FAILED(validate_pipeline({.encoding = encoding::other}, dtype::float64), errc::unknown_codec);
  TGMAP_FAILED(validate_pipeline({.filter = filter::other}, dtype::float64), errc::unknown_codec);
  TGMAP_FAILED(validate_pipeline({.compression = compression::other}, dtype::float64), errc::unknown_codec);
  TGMAP_FAILED(validate_pipeline({.compression = static_cast<compression>(77)}, dtype::float64), errc::unknown_codec);
}

BOOST_AUTO_TEST_CASE(nothing_and_shuffle_take_everything) {
  for (const dtype type : every_dtype) {
    TGMAP_SUCCEEDED(validate_pipeline({}, type));
    TGMAP_SUCCEEDED(validate_pipeline({.filter = filter::shuffle}, type));
  }
}

BOOST_AUTO_TEST_CASE(packing_takes_doubles) {
  for (const dtype type : every_dtype) {
    const auto why = validate_pipeline({.encoding = encoding::simple_packing}, type);
    if (type == dtype::float64) {
      TGMAP_SUCCEEDED(why);
      continue;
    }
    TGMAP_FAILED(why, errc::unsupported_dtype);
    BOOST_TEST(why.expected == static_cast<std::uint64_t>(dtype::float64));
    BOOST_TEST(why.found == static_cast<std::uint64_t>(type));
  }
  TGMAP_FAILED(validate_pipeline({.encoding = encoding::simple_packing, .packing = {.bits = 65}}, dtype::float64),
               errc::bad_parameter);
  TGMAP_FAILED(
      validate_pipeline({.encoding = encoding::simple_packing, .filter = filter::shuffle, .packing = {.bits = 0}},
                        dtype::float64),
      errc::bad_parameter);
}

BOOST_AUTO_TEST_CASE(szip_would_lose_bits) {
  if (tgmap::codec::find_compressor(compression::szip) == nullptr) return;
  for (unsigned bits = 1; bits <= 64; ++bits) {
    const pipeline how{
        .encoding = encoding::simple_packing, .compression = compression::szip, .packing = {.bits = bits}};
    const auto why = validate_pipeline(how, dtype::float64);
    if (bits % 8 == 0 && bits <= 32)
      TGMAP_SUCCEEDED(why);
    else {
      TGMAP_FAILED(why, errc::unsupported_sample_bits);
      BOOST_TEST(why.found == bits);
    }
  }
  for (const dtype type : every_dtype) {
    const bool narrow = element_size(type) != 0 && element_size(type) <= 4;
    BOOST_TEST(!validate_pipeline({.compression = compression::szip}, type) == narrow, to_string_view(type));
    TGMAP_SUCCEEDED(validate_pipeline({.filter = filter::shuffle, .compression = compression::szip}, type));
  }
  TGMAP_SUCCEEDED(validate_pipeline({.encoding = encoding::simple_packing,
                                     .compression = compression::szip,
                                     .packing = {.bits = 13, .max_error = 0.5}},
                                    dtype::float64));
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none) {
  for (const auto compression : {compression::zfp, compression::sz3}) {
    if (tgmap::codec::find_compressor(compression) == nullptr) continue;
    TGMAP_SUCCEEDED(validate_pipeline({.compression = compression}, dtype::float64));
    TGMAP_FAILED(validate_pipeline({.compression = compression}, dtype::float32), errc::unsupported_dtype);
    TGMAP_FAILED(validate_pipeline({.compression = compression, .missing = {.check_elements = false}}, dtype::float64),
                 errc::bad_combination);
  }
  TGMAP_FAILED(
      validate_pipeline({.encoding = encoding::simple_packing, .missing = {.check_elements = false}}, dtype::float64),
      errc::bad_combination);
  TGMAP_SUCCEEDED(validate_pipeline({.missing = {.check_elements = false}}, dtype::float64));
}

BOOST_AUTO_TEST_CASE(methods_of_masks) {
  for (const auto method : {mask_method::none, mask_method::rle, mask_method::roaring, mask_method::lz4,
                            mask_method::zstd, mask_method::blosc2, static_cast<mask_method>(6)}) {
    pipeline how;
    how.missing.positive_infinity = method;
    TGMAP_SUCCEEDED(validate_pipeline(how, dtype::float32));  // not allowed, not needed
    how.missing.allow_nan = true;
    how.missing.nan = mask_method::none;
    TGMAP_SUCCEEDED(validate_pipeline(how, dtype::float32));
    how.missing.allow_infinity = true;
    how.missing.negative_infinity = mask_method::none;
    const auto code = validate_pipeline(how, dtype::float32).code;
    if (static_cast<int>(method) > 5)
      BOOST_TEST((code == errc::unknown_codec));
    else
      BOOST_TEST((!code || code == errc::codec_absent));
    TGMAP_SUCCEEDED(validate_pipeline(how, dtype::int32));  // has none
  }
}

BOOST_AUTO_TEST_SUITE_END()

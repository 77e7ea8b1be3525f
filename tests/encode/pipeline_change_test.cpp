// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <tgmap/write/pipeline.hpp>

using tgmap::compression;
using tgmap::encoding;
using tgmap::filter;
using tgmap::pipeline;

BOOST_AUTO_TEST_SUITE(pipeline_change)

BOOST_AUTO_TEST_CASE(what_is_not_named_stays) {
  const pipeline packed{.encoding = encoding::simple_packing,
                        .filter = filter::shuffle,
                        .compression = compression::zstd,
                        .packing = {.bits = 24, .reference = 1.5, .binary_scale = -3},
                        .shuffle_size = 3,
                        .zstd_level = 7,
                        .missing = {.allow_nan = true}};
  const pipeline same = change_pipeline(packed, {.bits = 8, .level = 1, .zfp_rate = 4});
  BOOST_TEST((same.encoding == encoding::simple_packing && same.filter == filter::shuffle));
  BOOST_TEST(same.packing.bits == 24u);
  BOOST_TEST(same.packing.reference.value() == 1.5);
  BOOST_TEST(same.shuffle_size == 3u);
  BOOST_TEST(same.zstd_level == 7);
  BOOST_TEST((same.zfp.mode == tgmap::zfp_mode::fixed_accuracy));

  const pipeline plain = change_pipeline(packed, {.encoding = encoding::none});
  BOOST_TEST((plain.encoding == encoding::none && plain.filter == filter::shuffle));
  BOOST_TEST(plain.shuffle_size == 0u);
  BOOST_TEST(!plain.packing.reference.has_value());
  BOOST_TEST(plain.zstd_level == 7);
  BOOST_TEST(plain.missing.allow_nan);

  const pipeline again = change_pipeline(packed, {.encoding = encoding::simple_packing, .decimal_scale = 2});
  BOOST_TEST(again.packing.bits == 16u);
  BOOST_TEST(again.packing.decimal_scale == 2);
  BOOST_TEST(!again.packing.binary_scale.has_value());
}

BOOST_AUTO_TEST_CASE(levels_stay_with_their_compression) {
  const pipeline blosc{.compression = compression::blosc2,
                       .blosc2 = {.codec = tgmap::blosc2_codec::zstd, .level = 9},
                       .store_levels = false};
  const pipeline same = change_pipeline(blosc, {.compression = compression::blosc2});
  BOOST_TEST(same.blosc2.level == 9);
  BOOST_TEST((same.blosc2.codec == tgmap::blosc2_codec::zstd));
  BOOST_TEST(!same.store_levels);
  const pipeline faster = change_pipeline(blosc, {.compression = compression::blosc2, .level = 1});
  BOOST_TEST(faster.blosc2.level == 1);
  BOOST_TEST((faster.blosc2.codec == tgmap::blosc2_codec::zstd));
  BOOST_TEST(faster.store_levels);
  const pipeline other = change_pipeline(blosc, {.compression = compression::zstd});
  BOOST_TEST(other.zstd_level == 3);
  BOOST_TEST(other.blosc2.level == 5);
  BOOST_TEST((other.blosc2.codec == tgmap::blosc2_codec::lz4));
}

BOOST_AUTO_TEST_CASE(numbers_of_lossy_codecs_are_those_of_the_change) {
  const pipeline zfp{.compression = compression::zfp, .zfp = {.mode = tgmap::zfp_mode::fixed_rate, .rate = 4}};
  BOOST_TEST((change_pipeline(zfp, {.compression = compression::zfp, .zfp_precision = 20}).zfp.mode ==
              tgmap::zfp_mode::fixed_precision));
  const tgmap::zfp_options close = change_pipeline(zfp, {.compression = compression::zfp, .zfp_tolerance = 0.5}).zfp;
  BOOST_TEST((close.mode == tgmap::zfp_mode::fixed_accuracy));
  BOOST_TEST(close.tolerance == 0.5);
  const pipeline sz3{.compression = compression::sz3, .sz3 = {.mode = tgmap::sz3_bound::psnr, .bound = 80}};
  const tgmap::sz3_options bound = change_pipeline(sz3, {.compression = compression::sz3, .sz3_bound = 0.25}).sz3;
  BOOST_TEST((bound.mode == tgmap::sz3_bound::absolute));
  BOOST_TEST(bound.bound == 0.25);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <limits>

#include "codec/compressor.hpp"

BOOST_AUTO_TEST_SUITE(compression_check_test)

using namespace tgmap;
using codec::check_compression;
using tgmap::blosc2_codec;
using tgmap::zfp_mode;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns the failure, unless this build lacks the codec.
failure verdict(const pipeline& how, dtype of = dtype::float64, unsigned bits = 16) {
  const auto why = check_compression(how, of, bits);
  return why.code == errc::codec_absent && !codec::find_compressor(how.compression) ? failure{} : why;
}

failure check_szip(szip_options with, unsigned bits = 16) {
  return verdict({.compression = compression::szip, .szip = with}, dtype::int16, bits);
}

failure check_zfp(zfp_options with) { return verdict({.compression = compression::zfp, .zfp = with}); }

}  // namespace

BOOST_AUTO_TEST_CASE(no_compression_is_always_valid) {
  for (const auto of : {dtype::float64, dtype::bitmask, dtype::complex64}) BOOST_TEST(!verdict({}, of, 7));
}

BOOST_AUTO_TEST_CASE(default_parameters_are_valid) {
  for (const auto which : {compression::szip, compression::zstd, compression::lz4, compression::blosc2,
                           compression::zfp, compression::sz3})
    BOOST_TEST(!verdict({.compression = which}));
  for (const auto which : {compression::rle, compression::roaring})
    BOOST_TEST(!verdict({.compression = which}, dtype::bitmask, 0));
}

BOOST_AUTO_TEST_CASE(szip_keeps_whole_bytes) {
  for (unsigned bits = 0; bits <= 130; ++bits) {
    const auto why = check_szip({}, bits);
    if (bits == 8 || bits == 16 || bits == 24 || bits == 32) {
      BOOST_TEST(!why);
    } else {
      BOOST_TEST((why.code == errc::unsupported_sample_bits));
      BOOST_TEST(why.found == bits);
    }
  }
}

BOOST_AUTO_TEST_CASE(szip_flags) {
  for (std::uint32_t flags = 0; flags < 1024; ++flags) {
    const auto why = check_szip({.flags = flags});
    if ((flags & ~(1u | 2u | 4u | 8u | 64u)) == 0) {
      BOOST_TEST(!why);
    } else {
      BOOST_TEST((why.code == errc::bad_parameter));
      BOOST_TEST(why.found == flags);
    }
  }
}

BOOST_AUTO_TEST_CASE(szip_blocks) {
  for (const std::uint32_t rsi : {1u, 128u, 4096u}) BOOST_TEST(!check_szip({.rsi = rsi}));
  for (const std::uint32_t rsi : {0u, 4097u, UINT32_MAX}) {
    const auto why = check_szip({.rsi = rsi});
    BOOST_TEST((why.code == errc::bad_parameter));
    BOOST_TEST(why.found == rsi);
  }
  for (std::uint32_t size = 0; size < 200; ++size) {
    const bool standard = size == 8 || size == 16 || size == 32 || size == 64, even = size > 0 && size % 2 == 0;
    BOOST_TEST(!check_szip({.block_size = size}) == standard);
    BOOST_TEST(!check_szip({.block_size = size, .flags = 64 | 8}) == even);
  }
  BOOST_TEST(!check_szip({.rsi = 4096, .block_size = 256, .flags = 64}));
  const auto why = check_szip({.rsi = 4096, .block_size = 258, .flags = 64});  // libaec buffers an interval
  BOOST_TEST((why.code == errc::bad_parameter));
  BOOST_TEST(why.found == 258);
}

BOOST_AUTO_TEST_CASE(zstd_levels) {
  for (const int level : {-131072, -1, 0, 22})
    BOOST_TEST(!verdict({.compression = compression::zstd, .zstd_level = level}));
  for (const int level : {-131073, 23, INT32_MAX, INT32_MIN}) {
    const auto why = verdict({.compression = compression::zstd, .zstd_level = level});
    BOOST_TEST((why.code == errc::bad_parameter));
    BOOST_TEST(static_cast<std::int64_t>(why.found) == level);
  }
}

BOOST_AUTO_TEST_CASE(blosc2_levels_and_codecs) {
  for (const int level : {0, 9}) BOOST_TEST(!verdict({.compression = compression::blosc2, .blosc2 = {.level = level}}));
  for (const int level : {-1, 10, 1000})
    BOOST_TEST((verdict({.compression = compression::blosc2, .blosc2 = {.level = level}}).code == errc::bad_parameter));
  const auto why = verdict({.compression = compression::blosc2, .blosc2 = {.codec = static_cast<blosc2_codec>(5)}});
  BOOST_TEST((why.code == errc::bad_parameter));
  BOOST_TEST(why.found == 5);
}

BOOST_AUTO_TEST_CASE(zfp_numbers) {
  using enum zfp_mode;
  for (const double rate : {1e-9, 0.5, 64.0}) BOOST_TEST(!check_zfp({.mode = fixed_rate, .rate = rate}));
  for (const double rate : {0.0, -1.0, 64.5, 1e300, not_a_number, infinity})
    BOOST_TEST((check_zfp({.mode = fixed_rate, .rate = rate}).code == errc::bad_parameter));
  BOOST_TEST(check_zfp({.mode = fixed_rate, .rate = 70}).found == 70);
  for (const std::uint32_t precision : {1u, 64u})
    BOOST_TEST(!check_zfp({.mode = fixed_precision, .precision = precision}));
  for (const std::uint32_t precision : {0u, 65u, UINT32_MAX}) {
    const auto why = check_zfp({.mode = fixed_precision, .precision = precision});
    BOOST_TEST((why.code == errc::bad_parameter));
    BOOST_TEST(why.found == precision);
  }
  for (const double tolerance : {5e-324, 1e-6, 1e300})
    BOOST_TEST(!check_zfp({.mode = fixed_accuracy, .tolerance = tolerance}));
  for (const double tolerance : {0.0, -1e-6, not_a_number, infinity})
    BOOST_TEST((check_zfp({.mode = fixed_accuracy, .tolerance = tolerance}).code == errc::bad_parameter));
  BOOST_TEST((check_zfp({.mode = static_cast<zfp_mode>(3)}).code == errc::bad_parameter));
  // Numbers of other modes are ignored.
  BOOST_TEST(!check_zfp({.mode = fixed_rate, .precision = 0, .tolerance = 0}));
}

BOOST_AUTO_TEST_CASE(sz3_bounds) {
  using enum sz3_bound;
  for (const auto mode : {absolute, relative, psnr}) {
    BOOST_TEST(!verdict({.compression = compression::sz3, .sz3 = {.mode = mode, .bound = 1e-3}}));
    for (const double bound : {0.0, -1.0, not_a_number, infinity})
      BOOST_TEST((verdict({.compression = compression::sz3, .sz3 = {.mode = mode, .bound = bound}}).code ==
                  errc::bad_parameter));
  }
  BOOST_TEST((verdict({.compression = compression::sz3, .sz3 = {.mode = static_cast<sz3_bound>(3)}}).code ==
              errc::bad_parameter));
}

BOOST_AUTO_TEST_CASE(stages_before_codecs_of_doubles) {
  for (const auto which : {compression::zfp, compression::sz3}) {
    for (const auto of : {dtype::float32, dtype::int64, dtype::complex128, dtype::bitmask}) {
      const auto why = verdict({.compression = which}, of);
      BOOST_TEST((why.code == errc::unsupported_dtype));
      BOOST_TEST(why.expected == static_cast<std::uint64_t>(dtype::float64));
      BOOST_TEST(why.found == static_cast<std::uint64_t>(of));
    }
    const auto packed = verdict({.encoding = encoding::simple_packing, .compression = which});
    BOOST_TEST((packed.code == errc::bad_combination));
    BOOST_TEST(packed.expected == static_cast<std::uint64_t>(which));
    BOOST_TEST((verdict({.filter = filter::shuffle, .compression = which}).code == errc::bad_combination));
  }
}

BOOST_AUTO_TEST_CASE(stages_before_codecs_of_bits) {
  for (const auto which : {compression::rle, compression::roaring}) {
    for (const auto of : {dtype::uint8, dtype::float64}) {
      const auto why = verdict({.compression = which}, of);
      BOOST_TEST((why.code == errc::unsupported_dtype));
      BOOST_TEST(why.expected == static_cast<std::uint64_t>(dtype::bitmask));
    }
    BOOST_TEST((verdict({.encoding = encoding::simple_packing, .compression = which}, dtype::bitmask).code ==
                errc::bad_combination));
  }
}

BOOST_AUTO_TEST_CASE(absent_codecs) {
  BOOST_TEST((check_compression({.compression = compression::other}, dtype::float64, 64).code == errc::codec_absent));
  for (const auto which : {compression::szip, compression::zstd, compression::lz4, compression::blosc2,
                           compression::zfp, compression::sz3}) {
    const bool is_available = codec::find_compressor(which) != nullptr;
    const auto why = check_compression({.compression = which}, dtype::float64, 16);
    BOOST_TEST((is_available ? !why : why.code == errc::codec_absent), to_string_view(which));
  }
}

BOOST_AUTO_TEST_SUITE_END()

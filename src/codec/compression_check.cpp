// SPDX-License-Identifier: Apache-2.0
// Rejects pipelines that cannot be compressed, or not decompressed (§7.4, §9.5), before an element is read.
#include <cmath>

#include "codec/compressor.hpp"
#include "codec/failures.hpp"
#include "codec/szip/szip.hpp"

namespace tgmap::codec {

namespace {

constexpr int min_zstd_level = -131072, max_zstd_level = 22;

failure bad_number(std::int64_t number, const char* name) noexcept {
  return bad_parameter(static_cast<std::uint64_t>(number), name);
}

/// Checks that a number is in (0, most]. `found` is its integer part if that fits.
failure check_positive(double number, const char* name, double max_value = HUGE_VAL) noexcept {
  if (number > 0 && number <= max_value && std::isfinite(number)) return {};
  return bad_parameter(number > 0 && number < 0x1p63 ? static_cast<std::uint64_t>(number) : 0, name);
}

failure check_szip_options(const pipeline& how, unsigned sample_bits) noexcept {
  // libaec accepts other numbers of bits, but drops the bits above them.
  const bool whole = sample_bits == 8 || sample_bits == 16 || sample_bits == 24 || sample_bits == 32;
  if (!whole) return {.code = errc::unsupported_sample_bits, .found = sample_bits};

  const auto& [rsi, size, flags] = how.szip;
  if ((flags & ~szip_writable_flags) != 0) return bad_parameter(flags, "szip_flags");
  if (rsi == 0 || rsi > szip_max_rsi) return bad_parameter(rsi, "szip_rsi");
  const bool standard = size == 8 || size == 16 || size == 32 || size == 64;
  const bool even = (flags & szip_not_enforce) && size > 0 && size % 2 == 0;
  return (standard || even) && std::uint64_t{rsi} * size <= szip_max_interval ? failure{}
                                                                              : bad_parameter(size, "szip_block_size");
}

failure check_zfp_options(const zfp_options& with) noexcept {
  switch (with.mode) {
    case zfp_mode::fixed_rate: return check_positive(with.rate, "zfp_rate", 64);
    case zfp_mode::fixed_precision:
      return with.precision >= 1 && with.precision <= 64 ? failure{} : bad_parameter(with.precision, "zfp_precision");
    case zfp_mode::fixed_accuracy: return check_positive(with.tolerance, "zfp_tolerance");
  }
  return bad_number(static_cast<int>(with.mode), "zfp_mode");
}

failure check_blosc2_options(const blosc2_options& with) noexcept {
  if (with.codec > blosc2_codec::zstd) return bad_number(static_cast<int>(with.codec), "blosc2_codec");
  return with.level >= 0 && with.level <= 9 ? failure{} : bad_number(with.level, "blosc2_clevel");
}

failure check_sz3_options(const sz3_options& with) noexcept {
  return with.mode > sz3_bound::psnr ? bad_number(static_cast<int>(with.mode), "sz3_error_bound_mode")
                                     : check_positive(with.bound, "sz3_error_bound");
}

failure takes_only(dtype wanted, dtype given) noexcept {
  if (given == wanted) return {};
  return {.code = errc::unsupported_dtype,
          .expected = static_cast<std::uint64_t>(wanted),
          .found = static_cast<std::uint64_t>(given)};
}

/// Rejects a stage that a compression does not allow. The failure has the enumerators of both.
template <class Stage>
failure excludes(compression which, Stage given, Stage wanted) noexcept {
  if (given == wanted) return {};
  return {.code = errc::bad_combination,
          .expected = static_cast<std::uint64_t>(which),
          .found = static_cast<std::uint64_t>(given)};
}

/// Checks the stages before compressions that need doubles or bits.
failure check_stages(const pipeline& how, dtype of) noexcept {
  const bool doubles = how.compression == compression::zfp || how.compression == compression::sz3;
  const bool bits = how.compression == compression::rle || how.compression == compression::roaring;
  if (!doubles && !bits) return {};
  if (failure why = takes_only(doubles ? dtype::float64 : dtype::bitmask, of)) return why;
  if (failure why = excludes(how.compression, how.encoding, encoding::none)) return why;
  return doubles ? excludes(how.compression, how.filter, filter::none) : failure{};
}

failure check_options(const pipeline& how, unsigned sample_bits) noexcept {
  switch (how.compression) {
    case compression::szip: return check_szip_options(how, sample_bits);
    case compression::zstd:
      return how.zstd_level >= min_zstd_level && how.zstd_level <= max_zstd_level
                 ? failure{}
                 : bad_number(how.zstd_level, "zstd_level");
    case compression::blosc2: return check_blosc2_options(how.blosc2);
    case compression::zfp: return check_zfp_options(how.zfp);
    case compression::sz3: return check_sz3_options(how.sz3);
    default: return {};
  }
}

}  // namespace

failure check_compression(const pipeline& how, dtype of, unsigned sample_bits) noexcept {
  if (how.compression == compression::none) return {};
  failure why = check_stages(how, of);
  if (!why) why = check_options(how, sample_bits);
  if (!why && find_compressor(how.compression) == nullptr) why.code = errc::codec_absent;
  return why;
}

}  // namespace tgmap::codec

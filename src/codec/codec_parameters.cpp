// SPDX-License-Identifier: Apache-2.0
#include "codec/codec_parameters.hpp"

#include <cmath>
#include <optional>
#include <string_view>

#include "codec/failures.hpp"
#include "codec/named_entries.hpp"
#include "codec/szip/szip.hpp"

namespace tgmap::codec {

namespace {

/// Reads an integer of at most `most`.
failure read_number(const std::optional<cbor_view>& entry, const char* name, std::uint64_t max_value,
                    std::uint64_t& out) noexcept {
  const auto number = entry ? entry->get<std::uint64_t>() : std::nullopt;
  if (!number) return bad_parameter(0, name);
  if (*number > max_value) return bad_parameter(*number, name);
  out = *number;
  return {};
}

failure read_number(const std::optional<cbor_view>& entry, const char* name, std::uint32_t& out) noexcept {
  std::uint64_t wide = 0;
  const failure why = read_number(entry, name, UINT32_MAX, wide);
  if (!why) out = static_cast<std::uint32_t>(wide);
  return why;
}

/// Reads the number under `key`, which must be finite and greater than 0.
failure read_positive(const descriptor& descriptor, const char* key, double& out) noexcept {
  const auto entry = descriptor.entries.find(key);
  const auto number = entry ? entry->get<double>() : std::nullopt;
  if (!number || !std::isfinite(*number) || *number <= 0) return bad_parameter(0, key);
  out = *number;
  return {};
}

failure read_szip(const descriptor& descriptor, bool legacy, szip_parameters& out) noexcept {
  const named_entries<5> entries(descriptor.entries,
                                 {"szip_rsi", "szip_block_size", "szip_flags", "sp_bits_per_value", "bits_per_value"});
  if (auto why = read_number(entries[0], "szip_rsi", out.rsi)) return why;
  if (auto why = read_number(entries[1], "szip_block_size", out.block_size)) return why;
  if (auto why = read_number(entries[2], "szip_flags", out.flags)) return why;
  const bool packed = descriptor.encoding == encoding::simple_packing;
  if (packed) {  // releases before 0.19 wrote the key without its prefix (§7.1)
    if (auto why = read_number(entries[3] ? entries[3] : entries[4], "sp_bits_per_value", 64, out.bits)) return why;
  } else if (descriptor.filter == filter::shuffle) {
    out.bits = 8;
  } else {
    out.bits = descriptor.dtype == dtype::bitmask ? 0 : 8 * element_size(descriptor.dtype);
  }
  if (!legacy) {
    if (packed) out.flags |= szip_msb;
    if (out.bits > 16 && out.bits <= 24) out.flags |= szip_3_bytes;
  }
  out.sample_size = szip_sample_size(out.bits, out.flags);
  return {};
}

/// zfp and SZ3 compress only doubles (§7.8, §7.9).
bool of_doubles(const descriptor& descriptor) noexcept {
  return descriptor.dtype == dtype::float64 && descriptor.encoding == encoding::none &&
         descriptor.filter == filter::none;
}

failure read_zfp(const descriptor& descriptor, zfp_parameters& out) noexcept {
  if (!of_doubles(descriptor)) return bad_combination();
  const auto entry = descriptor.entries.find("zfp_mode");
  const auto mode = entry ? entry->get<std::string_view>() : std::nullopt;
  if (mode == "fixed_rate") {
    out.mode = zfp_method::fixed_rate;
    return read_positive(descriptor, "zfp_rate", out.rate);
  }
  if (mode == "fixed_precision") {
    out.mode = zfp_method::fixed_precision;
    return read_number(descriptor.entries.find("zfp_precision"), "zfp_precision", out.precision);
  }
  if (mode == "fixed_accuracy") {
    out.mode = zfp_method::fixed_accuracy;
    return read_positive(descriptor, "zfp_tolerance", out.tolerance);
  }
  return bad_parameter(0, "zfp_mode");
}

}  // namespace

failure read_codec_parameters(const descriptor& descriptor, bool legacy_szip_flags, codec_parameters& out) noexcept {
  out = {};
  switch (descriptor.compression) {
    case compression::szip: return read_szip(descriptor, legacy_szip_flags, out.szip);
    case compression::zfp: return read_zfp(descriptor, out.zfp);
    case compression::sz3: return of_doubles(descriptor) ? failure{} : bad_combination();
    case compression::rle:
    case compression::roaring:
      return descriptor.dtype == dtype::bitmask && descriptor.encoding == encoding::none ? failure{}
                                                                                         : bad_combination();
    default: return {};
  }
}

}  // namespace tgmap::codec

// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string_view>
#include <tgmap/enum_names.hpp>
#include <tgmap/write/pipeline.hpp>
#include <type_traits>
#include <utility>

#include "codec/compressor.hpp"
#include "codec/failures.hpp"
#include "codec/masks/mask_blob.hpp"
#include "codec/masks/mask_values.hpp"
#include "codec/packing/packing_parameters.hpp"
#include "encode/object_plan.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// Returns the failure of two stages that cannot be combined.
template <class One, class Other>
failure exclude_each_other(One one, Other other) noexcept {
  return {.code = errc::bad_combination,
          .expected = static_cast<std::uint64_t>(one),
          .found = static_cast<std::uint64_t>(other)};
}

failure check_names(const pipeline& how) noexcept {
  const bool known =
      how.encoding < encoding::other && how.filter < filter::other && how.compression < compression::other;
  return known ? failure{} : failure{.code = errc::unknown_codec};
}

failure check_encoding(const pipeline& how, dtype type) noexcept {
  if (how.encoding == encoding::none) return {};
  if (type != dtype::float64)
    return {.code = errc::unsupported_dtype,
            .expected = static_cast<std::uint64_t>(dtype::float64),
            .found = static_cast<std::uint64_t>(type)};
  return codec::check_packing(how.packing);
}

failure check_mask_method(bool allowed, const std::optional<mask_method>& method) noexcept {
  if (!allowed || !method || *method == mask_method::none) return {};
  if (*method > mask_method::blosc2) return {.code = errc::unknown_codec};
  const bool is_available = codec::find_compressor(codec::compression_of(*method)) != nullptr;
  return is_available ? failure{} : failure{.code = errc::codec_absent};
}

/// Checks the options for NaN and infinities. Pipelines that compute with values must refuse or mask them.
failure check_missing(const pipeline& how, dtype type) noexcept {
  const missing_options& with = how.missing;
  if (!codec::can_be_masked(type)) return {};
  if (!with.check_elements) {
    if (how.encoding == encoding::simple_packing) return exclude_each_other(how.encoding, how.compression);
    if (how.compression == compression::zfp || how.compression == compression::sz3)
      return exclude_each_other(how.compression, how.encoding);
    return {};
  }
  failure why = check_mask_method(with.allow_nan, with.nan);
  if (!why) why = check_mask_method(with.allow_infinity, with.positive_infinity);
  return why ? why : check_mask_method(with.allow_infinity, with.negative_infinity);
}

/// Returns the options of zfp, with the defaults of what the change does not set.
zfp_options zfp_of(const pipeline_change& change) noexcept {
  zfp_options out;
  out.rate = change.zfp_rate.value_or(out.rate);
  out.precision = change.zfp_precision.value_or(out.precision);
  out.tolerance = change.zfp_tolerance.value_or(out.tolerance);
  if (change.zfp_precision) out.mode = zfp_mode::fixed_precision;
  if (change.zfp_rate) out.mode = zfp_mode::fixed_rate;
  return out;
}

}  // namespace

pipeline change_pipeline(const pipeline& from, const pipeline_change& change) noexcept {
  const pipeline plain;
  pipeline out = from;
  if (change.encoding || change.filter) out.shuffle_size = 0;  // computed again
  if (change.encoding) {
    out.encoding = *change.encoding;
    out.packing = {.bits = change.bits.value_or(plain.packing.bits),
                   .decimal_scale = change.decimal_scale.value_or(plain.packing.decimal_scale),
                   .max_error = change.max_error};
  }
  out.filter = change.filter.value_or(from.filter);
  if (!change.compression) return out;
  out.compression = *change.compression;
  const bool is_other = from.compression != out.compression;
  if (is_other || change.level) {
    out.store_levels = true;
    out.zstd_level = change.level.value_or(plain.zstd_level);
    out.blosc2.level = change.level.value_or(plain.blosc2.level);
  }
  if (is_other || change.blosc2) out.blosc2.codec = change.blosc2.value_or(plain.blosc2.codec);
  if (is_other) out.szip = plain.szip;
  out.zfp = zfp_of(change);
  out.sz3 = {.mode = change.sz3_mode.value_or(plain.sz3.mode), .bound = change.sz3_bound.value_or(plain.sz3.bound)};
  return out;
}

failure validate_pipeline(const pipeline& how, dtype type) noexcept {
  if (failure why = check_names(how)) return why;
  if (failure why = check_encoding(how, type)) return why;
  // The number of bits that an error requires is chosen later, so that it suits the other stages. Check with 8 here.
  const bool is_chosen_later = how.encoding == encoding::simple_packing && how.packing.max_error;
  const unsigned bits = is_chosen_later ? 8 : how.packing.bits;
  if (how.filter == filter::shuffle && encode::shuffle_size(how, type, bits) == 0)
    return codec::bad_parameter(0, "shuffle_element_size");
  if (failure why = codec::check_compression(how, type, encode::sample_bits(how, type, bits))) return why;
  return check_missing(how, type);
}

namespace {

/// Reads parameters from a descriptor. The failure names the first parameter that is missing or invalid.
class parameters {
 public:
  explicit parameters(const descriptor& descriptor) noexcept : entries_(descriptor.entries) {}

  /// Reads a number or a name into `out`. If it is missing or invalid and not `needed`, `out` is unchanged.
  template <class T>
  void take(const char* key, T& out, bool needed = true) noexcept {
    const auto found = entries_.find(key);
    const auto given = found ? read<T>(*found) : std::nullopt;
    if (given)
      out = *given;
    else if (needed)
      fail(key);
  }

  bool has(std::string_view key) const noexcept { return entries_.find(key).has_value(); }
  const failure& why() const noexcept { return why_; }

 private:
  template <class T>
  static std::optional<T> read(const cbor_view& value) noexcept {
    if constexpr (std::is_enum_v<T>) {
      const auto name = value.get<std::string_view>();
      return name ? from_string<T>(*name) : std::nullopt;
    } else {
      const auto whole = value.get<std::int64_t>();
      if constexpr (std::is_floating_point_v<T>)
        return whole ? std::optional(static_cast<T>(*whole)) : value.get<T>();
      else
        return whole && std::in_range<T>(*whole) ? std::optional(static_cast<T>(*whole)) : std::nullopt;
    }
  }
  void fail(const char* key) noexcept { why_ = codec::bad_parameter(0, key); }

  cbor_view entries_;
  failure why_{};
};

void read_zfp(parameters& from, zfp_options& out) noexcept {
  from.take("zfp_mode", out.mode);
  if (from.why()) return;
  switch (out.mode) {
    case zfp_mode::fixed_rate: return from.take("zfp_rate", out.rate);
    case zfp_mode::fixed_precision: return from.take("zfp_precision", out.precision);
    case zfp_mode::fixed_accuracy: return from.take("zfp_tolerance", out.tolerance);
  }
}

void read_compression(parameters& from, pipeline& out) noexcept {
  switch (out.compression) {
    case compression::szip:
      from.take("szip_rsi", out.szip.rsi);
      from.take("szip_block_size", out.szip.block_size);
      return from.take("szip_flags", out.szip.flags);
    case compression::zstd:
      out.store_levels = from.has("zstd_level");
      return from.take("zstd_level", out.zstd_level, false);
    case compression::blosc2:
      out.store_levels = from.has("blosc2_codec") || from.has("blosc2_clevel");
      from.take("blosc2_codec", out.blosc2.codec, false);
      return from.take("blosc2_clevel", out.blosc2.level, false);
    case compression::zfp: return read_zfp(from, out.zfp);
    case compression::sz3:
      from.take("sz3_error_bound_mode", out.sz3.mode);
      return from.take("sz3_error_bound", out.sz3.bound);
    default: return;
  }
}

failure read_masks(const descriptor& descriptor, missing_options& out) noexcept {
  for (const mask& each : descriptor.masks()) {
    const auto how = from_string<mask_method>(each.method.view());
    if (!how) return {.code = errc::unknown_codec};
    (each.kind == mask_kind::nan ? out.allow_nan : out.allow_infinity) = true;
    (each.kind == mask_kind::nan                 ? out.nan
     : each.kind == mask_kind::positive_infinity ? out.positive_infinity
                                                 : out.negative_infinity) = *how;
    out.small_mask_bytes = 0;  // otherwise small masks would be stored without their method
  }
  return {};
}

failure read_pipeline(const descriptor& descriptor, pipeline& out) noexcept {
  out.encoding = descriptor.encoding;
  out.filter = descriptor.filter;
  out.compression = descriptor.compression;
  if (descriptor.encoding == encoding::other || descriptor.filter == filter::other ||
      descriptor.compression == compression::other)
    return {.code = errc::unknown_codec};
  if (descriptor.encoding == encoding::simple_packing) {
    codec::packing_parameters packing;
    if (failure why = codec::read_packing_parameters(descriptor, packing)) return why;
    out.packing = {.bits = packing.bits,
                   .decimal_scale = packing.decimal_scale,
                   .reference = packing.reference,
                   .binary_scale = packing.binary_scale};
  }
  parameters all(descriptor);
  if (descriptor.filter == filter::shuffle) all.take("shuffle_element_size", out.shuffle_size);
  read_compression(all, out);
  if (all.why()) return all.why();
  const bool computed = descriptor.encoding == encoding::simple_packing || descriptor.compression == compression::zfp ||
                        descriptor.compression == compression::sz3;
  out.missing.check_elements = computed || descriptor.mask_count != 0;
  return read_masks(descriptor, out.missing);
}

}  // namespace

pipeline pipeline_of(const descriptor& descriptor, failure& why) noexcept {
  pipeline out;
  why = read_pipeline(descriptor, out);
  return why ? pipeline() : out;
}

pipeline pipeline_of(const descriptor& descriptor) {
  failure why;
  pipeline out = pipeline_of(descriptor, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap

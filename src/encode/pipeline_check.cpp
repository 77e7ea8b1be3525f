// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/pipeline.hpp>

#include "codec/compressor.hpp"
#include "codec/failures.hpp"
#include "codec/masks/mask_blob.hpp"
#include "codec/masks/mask_values.hpp"
#include "codec/packing/packing_parameters.hpp"
#include "encode/object_plan.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// Two stages, by their numbers in their enumerations.
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
  const bool there = codec::find_compressor(codec::compression_of(*method)) != nullptr;
  return there ? failure{} : failure{.code = errc::codec_absent};
}

/// Where numbers are computed with, what is no number is either refused or masked.
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

}  // namespace

failure validate_pipeline(const pipeline& how, dtype type) noexcept {
  if (failure why = check_names(how)) return why;
  if (failure why = check_encoding(how, type)) return why;
  // As many bits as the error asks for are chosen so that they can be compressed and shuffled: 8 stand for those.
  const bool to_be_chosen = how.encoding == encoding::simple_packing && how.packing.max_error;
  const unsigned bits = to_be_chosen ? 8 : how.packing.bits;
  if (how.filter == filter::shuffle && encode::shuffle_size(how, type, bits) == 0)
    return codec::bad_parameter(0, "shuffle_element_size");
  if (failure why = codec::check_compression(how, type, encode::sample_bits(how, type, bits))) return why;
  return check_missing(how, type);
}

}  // namespace v0
}  // namespace tgmap

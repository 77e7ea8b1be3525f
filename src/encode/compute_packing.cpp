// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <tgmap/write/packing.hpp>

#include "codec/packing/unpack.hpp"
#include "encode/object_plan.hpp"
#include "encode/packing_stage.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

failure check_finite(std::span<const double> elements, const missing_options& allowed) noexcept {
  if (allowed.allow_nan && allowed.allow_infinity) return {};
  const auto bad = std::find_if(elements.begin(), elements.end(), [&](double each) {
    return std::isnan(each) ? !allowed.allow_nan : std::isinf(each) && !allowed.allow_infinity;
  });
  if (bad == elements.end()) return {};
  return {.code = errc::non_finite, .found = static_cast<std::uint64_t>(bad - elements.begin())};
}

}  // namespace

packing_options compute_packing(std::span<const double> elements, const pipeline& how, failure& why) noexcept {
  pipeline with = how;
  with.encoding = encoding::simple_packing;
  if ((why = validate_pipeline(with, dtype::float64))) return {};
  if ((why = check_finite(elements, with.missing))) return {};
  encode::packing_plan plan;
  // Parameters that are given are compared with the elements only if some may be masked.
  if ((why = encode::choose_packing({.bytes = std::as_bytes(elements)}, with, true, plan))) return {};
  const auto packed = codec::packed_size(elements.size(), plan.parameters.bits);
  why = packed ? encode::check_shuffle(with, dtype::float64, plan.parameters.bits, *packed)
               : failure{.code = errc::shape_overflow};
  if (why) return {};
  return {.bits = plan.parameters.bits,
          .decimal_scale = plan.parameters.decimal_scale,
          .reference = plan.parameters.reference,
          .binary_scale = plan.parameters.binary_scale};
}

packing_options compute_packing(std::span<const double> elements, failure& why) noexcept {
  return compute_packing(elements, {}, why);
}

packing_options compute_packing(std::span<const double> elements, const pipeline& how) {
  failure why;
  const packing_options out = compute_packing(elements, how, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap

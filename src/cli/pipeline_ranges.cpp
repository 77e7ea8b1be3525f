// SPDX-License-Identifier: Apache-2.0
#include "cli/pipeline_ranges.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "cli/complaint.hpp"

namespace tgmap::cli {

namespace {

template <class Number>
[[noreturn]] void refuse_number(const char* flag, Number given, const std::string& range) {
  throw usage_error(fmt::format("{} {} is out of range", flag, given), "give a number " + range);
}

template <class Number, class Limit>
void check_whole(const char* flag, const std::optional<Number>& given, Limit least, Limit most) {
  if (given && (static_cast<Limit>(*given) < least || static_cast<Limit>(*given) > most))
    refuse_number(flag, *given, fmt::format("from {} to {}", least, most));
}

void check_positive(const char* flag, const std::optional<double>& given) {
  if (given && !(std::isfinite(*given) && *given > 0)) refuse_number(flag, *given, "above 0");
}

}  // namespace

void check_ranges(const pipeline_options& given) {
  check_whole("--bits", given.bits, std::int64_t{0}, std::int64_t{64});
  check_whole("--decimal-scale", given.decimal_scale, -308, 308);
  if (given.max_error && !(std::isfinite(*given.max_error) && *given.max_error >= 0))
    refuse_number("--max-error", *given.max_error, "from 0 on");
  if (given.compression == compression::blosc2)
    check_whole("--compression-level", given.level, 0, 9);
  else
    check_whole("--compression-level", given.level, -131072, 22);
  if (given.zfp_rate && !(*given.zfp_rate > 0 && *given.zfp_rate <= 64))
    refuse_number("--zfp-rate", *given.zfp_rate, "above 0, and 64 at most");
  check_whole("--zfp-precision", given.zfp_precision, std::int64_t{1}, std::int64_t{64});
  check_positive("--zfp-tolerance", given.zfp_tolerance);
  check_positive("--sz3-bound", given.sz3_bound_value);
}

}  // namespace tgmap::cli

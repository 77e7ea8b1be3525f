// SPDX-License-Identifier: Apache-2.0
#include "cli/options/pipeline_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/options/option_checks.hpp"

namespace tgmap::cli {

namespace {

using method = std::optional<mask_method>;

void add_method(CLI::App& app, const std::string& option, const std::string& variable, const std::string& about,
                method& into, const std::string& group) {
  if (app.get_option_no_throw(option) != nullptr) return;
  auto methods = by_name<mask_method, method>({mask_method::none, mask_method::rle, mask_method::roaring,
                                               mask_method::lz4, mask_method::zstd, mask_method::blosc2});
  methods.push_back({"auto", std::nullopt});
  const auto added = add_choice<method>(app, option, about + "; auto: the smallest", methods,
                                        [&into](method chosen) { into = chosen; });
  added->group(group);
  if (app.get_parent() == nullptr) added->envname(variable);
}

/// Adds the option's name to a problem; on the command itself also the variable's name, which may be the cause.
std::string name_problem(const CLI::App& app, const std::string& option, const std::string& variable,
                         std::string problem) {
  return problem.empty() || app.get_parent() != nullptr ? problem : option + " or " + variable + ": " + problem;
}

/// Checks a boolean, which is always valid for a flag but not for a variable.
std::string check_boolean(const std::string& text) {
  try {
    static_cast<void>(CLI::detail::to_flag_value(text));
    return {};
  } catch (const std::exception&) {
    return "'" + text + "' is not true or false";
  }
}

void add_allowing(CLI::App& app, const std::string& flag, const std::string& variable, const std::string& about,
                  bool& into, const std::string& group) {
  if (app.get_option_no_throw(flag) != nullptr) return;
  const auto added = app.add_flag(flag, into, about)->group(group);
  added->check(CLI::Validator(
      [&app, flag, variable](std::string& text) { return name_problem(app, flag, variable, check_boolean(text)); },
      ""));
  if (app.get_parent() == nullptr) added->envname(variable);
}

}  // namespace

void add_missing_flags(CLI::App& app, missing_options& into, const std::string& group) {
  add_allowing(app, "--allow-nan", "TENSOGRAM_ALLOW_NAN", "Store NaN as a mask instead of rejecting them",
               into.allow_nan, group);
  add_allowing(app, "--allow-inf", "TENSOGRAM_ALLOW_INF", "Store infinities as masks instead of rejecting them",
               into.allow_infinity, group);
  add_method(app, "--nan-mask-method", "TENSOGRAM_NAN_MASK_METHOD", "Encoding of the NaN mask", into.nan, group);
  add_method(app, "--pos-inf-mask-method", "TENSOGRAM_POS_INF_MASK_METHOD", "Encoding of the +Inf mask",
             into.positive_infinity, group);
  add_method(app, "--neg-inf-mask-method", "TENSOGRAM_NEG_INF_MASK_METHOD", "Encoding of the -Inf mask",
             into.negative_infinity, group);
  const std::string threshold = "--small-mask-threshold", variable = "TENSOGRAM_SMALL_MASK_THRESHOLD";
  if (app.get_option_no_throw(threshold) != nullptr) return;
  const auto added =
      app.add_option(threshold, into.small_mask_bytes, "Masks of at most this many bytes are stored without encoding")
          ->check(CLI::Validator(
              [&app, threshold, variable](std::string& text) {
                return name_problem(app, threshold, variable, integer_from(0)(text));
              },
              ""))
          ->type_name("BYTES")
          ->group(group);
  if (app.get_parent() == nullptr) added->envname(variable);
}

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

/// Checks the ranges of numbers. Errors: usage_error with the flag and its range.
void check_ranges(const pipeline_options& given) {
  check_whole("--bits", given.given_bits, std::int64_t{0}, std::int64_t{64});
  check_whole("--decimal-scale", given.decimal_scale, -308, 308);
  if (given.max_error && !(std::isfinite(*given.max_error) && *given.max_error >= 0))
    refuse_number("--max-error", *given.max_error, "of at least 0");
  if (given.compression == compression::blosc2)
    check_whole("--compression-level", given.level, 0, 9);
  else
    check_whole("--compression-level", given.level, -131072, 22);
  if (given.zfp_rate && !(*given.zfp_rate > 0 && *given.zfp_rate <= 64))
    refuse_number("--zfp-rate", *given.zfp_rate, "above 0 and at most 64");
  check_whole("--zfp-precision", given.given_precision, std::int64_t{1}, std::int64_t{64});
  check_positive("--zfp-tolerance", given.zfp_tolerance);
  check_positive("--sz3-bound", given.sz3_bound);
}

constexpr const char* storing = "Storing";  // the group in help

/// A flag that is valid only with a certain stage.
struct dependent {
  const char* flag;
  bool given;
};

void refuse_without(bool there, const std::string& what, std::initializer_list<dependent> flags) {
  for (const dependent& each : flags)
    if (each.given && !there)
      throw usage_error(std::string(each.flag) + " needs " + what, "add " + what + ", or leave out " + each.flag);
}

bool uses(const pipeline_options& given, compression which) noexcept { return given.compression == which; }

void refuse_unused_options(const pipeline_options& given) {
  refuse_without(given.encoding == encoding::simple_packing, "--encoding simple_packing",
                 {{"--bits", given.given_bits.has_value()},
                  {"--decimal-scale", given.decimal_scale.has_value()},
                  {"--max-error", given.max_error.has_value()}});
  refuse_without(uses(given, compression::zstd) || uses(given, compression::blosc2), "--compression zstd or blosc2",
                 {{"--compression-level", given.level.has_value()}});
  refuse_without(uses(given, compression::blosc2), "--compression blosc2",
                 {{"--blosc2-codec", given.blosc2.has_value()}});
  refuse_without(uses(given, compression::zfp), "--compression zfp",
                 {{"--zfp-mode", given.zfp_mode.has_value()},
                  {"--zfp-rate", given.zfp_rate.has_value()},
                  {"--zfp-precision", given.given_precision.has_value()},
                  {"--zfp-tolerance", given.zfp_tolerance.has_value()}});
  refuse_without(uses(given, compression::sz3), "--compression sz3",
                 {{"--sz3-mode", given.sz3_mode.has_value()}, {"--sz3-bound", given.sz3_bound.has_value()}});
  if (given.given_bits && given.max_error)
    throw usage_error("--bits and --max-error both set the number of bits", "leave one of them out");
}

/// Checks the numbers that say how much lossy codecs lose.
void check_precision(const pipeline_options& given) {
  if (uses(given, compression::sz3) && !given.sz3_bound)
    throw usage_error("sz3 needs an error bound", "add --sz3-bound");
  if (!uses(given, compression::zfp)) return;
  const int numbers = given.zfp_rate.has_value() + given.zfp_precision.has_value() + given.zfp_tolerance.has_value();
  if (numbers != 1)
    throw usage_error(numbers == 0 ? "zfp needs a precision" : "zfp takes only one precision",
                      "give one of --zfp-rate, --zfp-precision and --zfp-tolerance");
  const zfp_mode mode = change_pipeline({}, given).zfp.mode;
  if (given.zfp_mode.value_or(mode) != mode)
    throw usage_error("--zfp-mode does not match the given precision",
                      "fixed_rate takes --zfp-rate, fixed_precision --zfp-precision, fixed_accuracy --zfp-tolerance");
}

/// Adds an option for a whole number, which is stored as it was given, too: check_ranges refuses what does not fit.
template <class Number>
void add_whole(CLI::App& app, const std::string& option, const std::string& about, std::optional<std::int64_t>& given,
               std::optional<Number>& into) {
  const auto take = [&](std::int64_t number) {
    given = number;
    into = static_cast<Number>(number);
  };
  app.add_option_function<std::int64_t>(option, take, about)->type_name("N")->group(storing);
}

void add_stages(CLI::App& app, pipeline_options& into) {
  add_choice<encoding>(app, "--encoding", "Encoding of elements", by_name({encoding::none, encoding::simple_packing}),
                       [&into](encoding chosen) { into.encoding = chosen; })
      ->group(storing);
  add_whole(app, "--bits", "Bits per packed element; default: 16", into.given_bits, into.bits);
  app.add_option("--decimal-scale", into.decimal_scale, "Multiply elements by 10 to this power before packing")
      ->type_name("N")
      ->group(storing);
  app.add_option("--max-error", into.max_error, "Use as few bits as keep the error of each element within E")
      ->type_name("E")
      ->group(storing);
  add_choice<filter>(app, "--filter", "Filter applied to bytes", by_name({filter::none, filter::shuffle}),
                     [&into](filter chosen) { into.filter = chosen; })
      ->group(storing);
  std::vector<named_choice<compression>> compressions{{"none", compression::none}};
  for (const codec_info& each : codecs()) compressions.push_back({std::string(each.name), each.compression});
  add_choice<compression>(app, "--compression", "Compression of bytes", compressions, [&into](compression chosen) {
    into.compression = chosen;
  })->group(storing);
  app.add_option("--compression-level", into.level, "Level of zstd (default: 3) or blosc2 (default: 5)")
      ->check(offered_words({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "12", "15", "19", "22"}))
      ->type_name("N")
      ->group(storing);
}

void add_codec_options(CLI::App& app, pipeline_options& into) {
  add_choice<blosc2_codec>(
      app, "--blosc2-codec", "Compressor inside blosc2; default: lz4",
      by_name({blosc2_codec::blosclz, blosc2_codec::lz4, blosc2_codec::lz4hc, blosc2_codec::zlib, blosc2_codec::zstd}),
      [&into](blosc2_codec chosen) { into.blosc2 = chosen; })
      ->group(storing);
  add_choice<zfp_mode>(app, "--zfp-mode", "Mode of zfp; default: that of the given number",
                       by_name({zfp_mode::fixed_rate, zfp_mode::fixed_precision, zfp_mode::fixed_accuracy}),
                       [&into](zfp_mode chosen) { into.zfp_mode = chosen; })
      ->group(storing);
  app.add_option("--zfp-rate", into.zfp_rate, "Bits per element, up to 64")->type_name("BITS")->group(storing);
  add_whole(app, "--zfp-precision", "Bit planes, 1 to 64", into.given_precision, into.zfp_precision);
  app.add_option("--zfp-tolerance", into.zfp_tolerance, "Maximum error of an element")->type_name("E")->group(storing);
  add_choice<sz3_bound>(app, "--sz3-mode", "Kind of the bound of sz3; default: abs",
                        by_name({sz3_bound::absolute, sz3_bound::relative, sz3_bound::psnr}),
                        [&into](sz3_bound chosen) { into.sz3_mode = chosen; })
      ->group(storing);
  app.add_option("--sz3-bound", into.sz3_bound, "Maximum error, or PSNR in dB with psnr")
      ->type_name("E")
      ->group(storing);
}

}  // namespace

void add_pipeline_options(CLI::App& app, pipeline_options& into, session& run) {
  add_stages(app, into);
  add_codec_options(app, into);
  add_missing_flags(app, run.missing, storing);
}

pipeline make_pipeline(const pipeline_options& given, const session& run) {
  refuse_unused_options(given);
  check_ranges(given);
  check_precision(given);
  return change_pipeline({.missing = run.missing}, given);
}

}  // namespace tgmap::cli

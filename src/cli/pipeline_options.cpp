// SPDX-License-Identifier: Apache-2.0
#include "cli/pipeline_options.hpp"

#include <initializer_list>
#include <string>
#include <utility>

#include "cli/choice.hpp"
#include "cli/complaint.hpp"
#include "cli/missing_flags.hpp"
#include "cli/pipeline_ranges.hpp"

namespace tgmap::cli {

namespace {

constexpr const char* storing = "Storing";  // the group in help

/// A flag that was given, and what it belongs to.
struct dependent {
  const char* flag;
  bool given;
};

void refuse_without(bool there, const std::string& what, std::initializer_list<dependent> flags) {
  for (const dependent& each : flags)
    if (each.given && !there)
      throw usage_error(std::string(each.flag) + " means nothing without " + what, "add " + what + ", or leave it out");
}

bool uses(const pipeline_options& given, compression which) noexcept { return given.compression == which; }

void refuse_strays(const pipeline_options& given) {
  refuse_without(given.encoding == encoding::simple_packing, "--encoding simple_packing",
                 {{"--bits", given.bits.has_value()},
                  {"--decimal-scale", given.decimal_scale.has_value()},
                  {"--max-error", given.max_error.has_value()}});
  refuse_without(uses(given, compression::zstd) || uses(given, compression::blosc2), "--compression zstd or blosc2",
                 {{"--compression-level", given.level.has_value()}});
  refuse_without(uses(given, compression::blosc2), "--compression blosc2",
                 {{"--blosc2-codec", given.blosc2.has_value()}});
  refuse_without(uses(given, compression::zfp), "--compression zfp",
                 {{"--zfp-mode", given.zfp_mode.has_value()},
                  {"--zfp-rate", given.zfp_rate.has_value()},
                  {"--zfp-precision", given.zfp_precision.has_value()},
                  {"--zfp-tolerance", given.zfp_tolerance.has_value()}});
  refuse_without(uses(given, compression::sz3), "--compression sz3",
                 {{"--sz3-mode", given.sz3_mode.has_value()}, {"--sz3-bound", given.sz3_bound_value.has_value()}});
  if (given.bits && given.max_error)
    throw usage_error("--bits and --max-error both say how many bits to take", "leave one of them out");
}

packing_options packing_of(const pipeline_options& given) {
  packing_options out;
  if (given.bits) out.bits = static_cast<decltype(out.bits)>(*given.bits);
  out.decimal_scale = given.decimal_scale.value_or(0);
  out.max_error = given.max_error;
  return out;
}

zfp_options zfp_of(const pipeline_options& given) {
  const int numbers = given.zfp_rate.has_value() + given.zfp_precision.has_value() + given.zfp_tolerance.has_value();
  if (numbers != 1)
    throw usage_error(
        numbers == 0 ? "zfp is not told how much to keep" : "zfp is told in several ways how much to keep",
        "give one of --zfp-rate, --zfp-precision and --zfp-tolerance");
  zfp_options out;
  out.rate = given.zfp_rate.value_or(out.rate);
  if (given.zfp_precision) out.precision = static_cast<decltype(out.precision)>(*given.zfp_precision);
  out.tolerance = given.zfp_tolerance.value_or(out.tolerance);
  out.mode = given.zfp_rate        ? zfp_mode::fixed_rate
             : given.zfp_precision ? zfp_mode::fixed_precision
                                   : zfp_mode::fixed_accuracy;
  if (given.zfp_mode.value_or(out.mode) != out.mode)
    throw usage_error("--zfp-mode wants another number than the one that is given",
                      "fixed_rate takes --zfp-rate, fixed_precision --zfp-precision, fixed_accuracy --zfp-tolerance");
  return out;
}

sz3_options sz3_of(const pipeline_options& given) {
  if (!given.sz3_bound_value) throw usage_error("sz3 is not told how much to keep", "give --sz3-bound");
  return {.mode = given.sz3_mode.value_or(sz3_bound::absolute), .bound = *given.sz3_bound_value};
}

void add_stages(CLI::App& app, pipeline_options& into) {
  add_choice<encoding>(app, "--encoding", "What is done to elements first",
                       {{"none", encoding::none}, {"simple_packing", encoding::simple_packing}},
                       [&into](encoding chosen) { into.encoding = chosen; })
      ->group(storing);
  app.add_option("--bits", into.bits, "Bits of a packed element; 16 unless said")->type_name("N")->group(storing);
  app.add_option("--decimal-scale", into.decimal_scale, "Packed elements are first multiplied by 10 to that power")
      ->type_name("N")
      ->group(storing);
  app.add_option("--max-error", into.max_error, "As few bits as keep every packed element within this of what it was")
      ->type_name("E")
      ->group(storing);
  add_choice<filter>(app, "--filter", "What is done to bytes next",
                     {{"none", filter::none}, {"shuffle", filter::shuffle}},
                     [&into](filter chosen) { into.filter = chosen; })
      ->group(storing);
  std::vector<named_choice<compression>> compressions{{"none", compression::none}};
  for (const codec_info& each : codecs()) compressions.push_back({std::string(each.name), each.compression});
  add_choice<compression>(app, "--compression", "How bytes are compressed", compressions, [&into](compression chosen) {
    into.compression = chosen;
  })->group(storing);
  app.add_option("--compression-level", into.level, "Of zstd (3 unless said) and blosc2 (5)")
      ->type_name("N")
      ->group(storing);
}

void add_codec_options(CLI::App& app, pipeline_options& into) {
  add_choice<blosc2_codec>(app, "--blosc2-codec", "What blosc2 compresses by; lz4 unless said",
                           {{"blosclz", blosc2_codec::blosclz},
                            {"lz4", blosc2_codec::lz4},
                            {"lz4hc", blosc2_codec::lz4hc},
                            {"zlib", blosc2_codec::zlib},
                            {"zstd", blosc2_codec::zstd}},
                           [&into](blosc2_codec chosen) { into.blosc2 = chosen; })
      ->group(storing);
  add_choice<zfp_mode>(app, "--zfp-mode", "What zfp keeps to; the one whose number is given unless said",
                       {{"fixed_rate", zfp_mode::fixed_rate},
                        {"fixed_precision", zfp_mode::fixed_precision},
                        {"fixed_accuracy", zfp_mode::fixed_accuracy}},
                       [&into](zfp_mode chosen) { into.zfp_mode = chosen; })
      ->group(storing);
  app.add_option("--zfp-rate", into.zfp_rate, "Bits an element, up to 64")->type_name("BITS")->group(storing);
  app.add_option("--zfp-precision", into.zfp_precision, "Bit planes, 1 to 64")->type_name("N")->group(storing);
  app.add_option("--zfp-tolerance", into.zfp_tolerance, "Greatest error of an element")->type_name("E")->group(storing);
  add_choice<sz3_bound>(app, "--sz3-mode", "What the bound of sz3 is of; abs unless said",
                        {{"abs", sz3_bound::absolute}, {"rel", sz3_bound::relative}, {"psnr", sz3_bound::psnr}},
                        [&into](sz3_bound chosen) { into.sz3_mode = chosen; })
      ->group(storing);
  app.add_option("--sz3-bound", into.sz3_bound_value, "Greatest error, or with psnr the dB to keep")
      ->type_name("E")
      ->group(storing);
}

}  // namespace

void add_pipeline_options(CLI::App& app, pipeline_options& into, session& run) {
  add_stages(app, into);
  add_codec_options(app, into);
  add_missing_flags(app, run.missing, storing);
}

bool changes_elements(const pipeline_options& given) noexcept {
  return given.encoding != encoding::none || given.filter != filter::none || given.compression != compression::none;
}

pipeline make_pipeline(const pipeline_options& given, const session& run) {
  refuse_strays(given);
  check_ranges(given);
  pipeline out;
  out.encoding = given.encoding;
  out.filter = given.filter;
  out.compression = given.compression;
  out.missing = run.missing;
  if (given.encoding == encoding::simple_packing) out.packing = packing_of(given);
  if (uses(given, compression::zstd)) out.zstd_level = given.level.value_or(out.zstd_level);
  if (uses(given, compression::blosc2))
    out.blosc2 = {.codec = given.blosc2.value_or(out.blosc2.codec), .level = given.level.value_or(out.blosc2.level)};
  if (uses(given, compression::zfp)) out.zfp = zfp_of(given);
  if (uses(given, compression::sz3)) out.sz3 = sz3_of(given);
  return out;
}

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/options/missing_flags.hpp"

#include <optional>

#include "cli/options/option_checks.hpp"

namespace tgmap::cli {

namespace {

using method = std::optional<mask_method>;

void add_method(CLI::App& app, const std::string& option, const std::string& variable, const std::string& about,
                method& into, const std::string& group) {
  if (app.get_option_no_throw(option) != nullptr) return;
  const auto added = add_choice<method>(app, option, about + "; auto: the smallest",
                                        {{"none", mask_method::none},
                                         {"rle", mask_method::rle},
                                         {"roaring", mask_method::roaring},
                                         {"lz4", mask_method::lz4},
                                         {"zstd", mask_method::zstd},
                                         {"blosc2", mask_method::blosc2},
                                         {"auto", std::nullopt}},
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

}  // namespace tgmap::cli

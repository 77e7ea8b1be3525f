// SPDX-License-Identifier: Apache-2.0
#include "cli/missing_flags.hpp"

#include <optional>

#include "cli/choice.hpp"
#include "cli/number_checks.hpp"

namespace tgmap::cli {

namespace {

using method = std::optional<mask_method>;

void add_method(CLI::App& app, const std::string& option, const std::string& variable, const std::string& about,
                method& into, const std::string& group) {
  if (app.get_option_no_throw(option) != nullptr) return;
  const auto added = add_choice<method>(app, option, about + ", or auto: whichever takes least",
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

/// Before the verb, where a variable may be what is wrong, both are named.
std::string named(const CLI::App& app, const std::string& option, const std::string& variable, std::string problem) {
  return problem.empty() || app.get_parent() != nullptr ? problem : option + " or " + variable + ": " + problem;
}

/// What a flag gives is always fine; a variable may hold anything.
std::string problem_with_truth(const std::string& text) {
  try {
    static_cast<void>(CLI::detail::to_flag_value(text));
    return {};
  } catch (const std::exception&) {
    return "'" + text + "' is neither true nor false";
  }
}

void add_allowing(CLI::App& app, const std::string& flag, const std::string& variable, const std::string& about,
                  bool& into, const std::string& group) {
  if (app.get_option_no_throw(flag) != nullptr) return;
  const auto added = app.add_flag(flag, into, about)->group(group);
  added->check(CLI::Validator(
      [&app, flag, variable](std::string& text) { return named(app, flag, variable, problem_with_truth(text)); }, ""));
  if (app.get_parent() == nullptr) added->envname(variable);
}

}  // namespace

void add_missing_flags(CLI::App& app, missing_options& into, const std::string& group) {
  add_allowing(app, "--allow-nan", "TENSOGRAM_ALLOW_NAN", "NaN are no error: they are stored as a mask", into.allow_nan,
               group);
  add_allowing(app, "--allow-inf", "TENSOGRAM_ALLOW_INF", "Infinities are no error: they are stored as masks",
               into.allow_infinity, group);
  add_method(app, "--nan-mask-method", "TENSOGRAM_NAN_MASK_METHOD", "How the mask of NaN is stored", into.nan, group);
  add_method(app, "--pos-inf-mask-method", "TENSOGRAM_POS_INF_MASK_METHOD", "The same of the mask of +Inf",
             into.positive_infinity, group);
  add_method(app, "--neg-inf-mask-method", "TENSOGRAM_NEG_INF_MASK_METHOD", "The same of the mask of -Inf",
             into.negative_infinity, group);
  const std::string threshold = "--small-mask-threshold", variable = "TENSOGRAM_SMALL_MASK_THRESHOLD";
  if (app.get_option_no_throw(threshold) != nullptr) return;
  const auto added = app.add_option(threshold, into.small_mask_bytes,
                                    "Masks of up to so many bytes are stored as they are, whatever the method")
                         ->check(CLI::Validator(
                             [&app, threshold, variable](std::string& text) {
                               return named(app, threshold, variable, whole_number_from(0)(text));
                             },
                             ""))
                         ->type_name("BYTES")
                         ->group(group);
  if (app.get_parent() == nullptr) added->envname(variable);
}

}  // namespace tgmap::cli

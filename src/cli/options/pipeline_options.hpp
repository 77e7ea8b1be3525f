// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <tgmap/write/pipeline.hpp>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// Adds --allow-nan, --allow-inf and the options for masks, which the reference implementation takes for any verb.
/// Options that exist are not added again. An empty `group` hides them in help. On the command itself, environment
/// variables such as TENSOGRAM_ALLOW_NAN set them too; the command line takes precedence.
void add_missing_flags(CLI::App&, missing_options& into, const std::string& group);

/// Values of the options for storing elements: those of the reference implementation's converters, and options for
/// features it has no flags for.
struct pipeline_options : pipeline_change {
  std::optional<std::int64_t> given_bits{}, given_precision{};  ///< as given; make_pipeline checks them
  std::optional<tgmap::zfp_mode> zfp_mode{};
};

/// Adds the options, including those for missing elements.
void add_pipeline_options(CLI::App&, pipeline_options& into, session&);

/// Returns the pipeline for the options and the session's handling of missing elements. Lossy codecs require an
/// explicit precision. validate_pipeline checks whether a dtype and this build support it. Errors: usage_error, for
/// example for an option of a stage that is not used.
pipeline make_pipeline(const pipeline_options&, const session&);

}  // namespace tgmap::cli

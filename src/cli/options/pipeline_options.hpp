// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <tgmap/write/pipeline.hpp>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// Values of the options for storing elements: those of the reference implementation's converters, and options for
/// features it has no flags for.
struct pipeline_options {
  tgmap::encoding encoding = encoding::none;
  tgmap::filter filter = filter::none;
  tgmap::compression compression = compression::none;
  std::optional<std::int64_t> bits{};
  std::optional<std::int32_t> decimal_scale{};
  std::optional<double> max_error{};
  std::optional<int> level{};
  std::optional<blosc2_codec> blosc2{};
  std::optional<tgmap::zfp_mode> zfp_mode{};
  std::optional<double> zfp_rate{}, zfp_tolerance{};
  std::optional<std::int64_t> zfp_precision{};
  std::optional<sz3_bound> sz3_mode{};
  std::optional<double> sz3_bound_value{};
};

/// Adds the options, including those for missing elements.
void add_pipeline_options(CLI::App&, pipeline_options& into, session&);

/// Returns true if elements are encoded, filtered or compressed.
bool changes_elements(const pipeline_options&) noexcept;

/// Returns the pipeline for the options and the session's handling of missing elements. Lossy codecs require an
/// explicit precision. validate_pipeline checks whether a dtype and this build support it. Errors: usage_error, for
/// example for an option of a stage that is not used.
pipeline make_pipeline(const pipeline_options&, const session&);

}  // namespace tgmap::cli

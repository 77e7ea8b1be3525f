// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <tgmap/write/pipeline.hpp>

#include "cli/session.hpp"

namespace tgmap::cli {

/// What the command line says about how elements are stored: the flags of the reference implementation's converters,
/// and those of what it has no flags for.
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

/// Declares the flags, those of missing elements included.
void add_pipeline_options(CLI::App&, pipeline_options& into, session&);

/// Anything but the elements as they are was asked for.
bool changes_elements(const pipeline_options&) noexcept;

/// What the flags mean together, with what the session says of missing elements. A flag of a stage that is not there is
/// refused, and what loses precision wants to be told how much of it. Whether that goes with a dtype and this build,
/// check(pipeline, dtype) says. Throws usage_error.
pipeline make_pipeline(const pipeline_options&, const session&);

}  // namespace tgmap::cli

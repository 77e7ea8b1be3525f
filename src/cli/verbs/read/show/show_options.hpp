// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command/verb.hpp"
#include "cli/input/sliced_target.hpp"
#include "cli/output/output_options.hpp"
#include "picture/colour_map.hpp"
#include "picture/plot.hpp"

namespace tgmap::cli {

/// The options of `show`, as text and as parsed values.
struct show_options {
  std::vector<std::string> from;
  std::string to;  ///< empty: no image
  output_options outputs;
  std::string cut, range, size, colours;
  std::optional<std::size_t> columns, rows;
  bool logarithmic = false, as_stored = false, as_json = false, verify = false;

  /// The parsed values.
  struct parsed_options {
    std::optional<grids::slice_spec> cut{};
    std::optional<std::pair<double, double>> range{};
    std::optional<picture::image_size> size{};
    picture::colour_map colours;
  };
  parsed_options read() const;  ///< Errors: usage_error
};

void declare_options(CLI::App&, show_options&);

}  // namespace tgmap::cli

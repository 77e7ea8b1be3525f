// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/outputs/output_options.hpp"
#include "picture/colour_map.hpp"
#include "picture/image/image_frame.hpp"
#include "picture/slice.hpp"

namespace tgmap::cli {

/// What `show` was asked for, as written and as read.
struct show_options {
  std::vector<std::string> from;
  std::string to;  ///< empty: no image
  output_options outputs;
  std::string cut, range, size, colours;
  std::optional<std::size_t> columns, rows;
  bool logarithmic = false, as_stored = false, as_json = false;

  /// What the texts above say. Throws usage_error where they make no sense.
  struct meaning {
    std::optional<std::vector<picture::index_range>> cuts{};
    std::optional<std::pair<double, double>> range{};
    std::optional<picture::image_size> size{};
    picture::colour_map colours;
  };
  meaning read() const;
};

void declare(CLI::App&, show_options&);

}  // namespace tgmap::cli

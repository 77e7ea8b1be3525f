// SPDX-License-Identifier: Apache-2.0
// What `stats` says of one object.
#pragma once

#include <string>
#include <tgmap/message.hpp>
#include <vector>

#include "cli/json.hpp"
#include "cli/table.hpp"
#include "statistics/elements.hpp"

namespace tgmap::cli {

/// An object and what came of its elements.
struct stats_row {
  tgmap::message message;
  tgmap::object object;
  statistics::element_statistics found{};
  std::uint64_t masked = 0;  ///< elements that masks tell of
  failure why{};             ///< of elements that could not be had; then nothing is found
};

std::vector<table::column> stats_columns();
std::vector<std::string> stats_cells(const stats_row&);

/// One line of JSON without its file: numbers in full, whole ones exactly.
json as_json(const stats_row&);

}  // namespace tgmap::cli

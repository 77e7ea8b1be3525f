// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <tgmap/descriptor.hpp>
#include <tgmap/tools/caption.hpp>
#include <vector>

#include "cli/input/archives.hpp"
#include "cli/print/json.hpp"
#include "grid/slice.hpp"
#include "statistics/accumulator.hpp"

namespace tgmap::cli {

/// A field and the part of it to show.
struct shown_field {
  one_object which;
  descriptor what{};
  caption words{};
  grids::slice part{};
  bool part_chosen = false;      ///< the user gave the part
  std::string why_no_degrees{};  ///< if there is a picture; empty if it has degrees, or no grid is described
};

std::string title_of(const shown_field&);

/// Returns the line below the title, with dtype, shape and address.
std::string place_of(const shown_field&);

/// Returns the slice that is shown; empty for the whole field.
std::string part_of(const shown_field&);

/// Returns why there are no coordinates.
std::string coordinates_of(const shown_field&);

/// Returns "1048576 elements, none missing", and "min 262.5   max 328.67   mean 304.7   std 18.1   K" if any is finite.
std::vector<std::string> numbers_of(const shown_field&, const statistics::accumulator&);

json as_json(const shown_field&, const statistics::accumulator&);

}  // namespace tgmap::cli

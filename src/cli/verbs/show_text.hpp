// SPDX-License-Identifier: Apache-2.0
// The text and JSON of `show`.
#pragma once

#include <string>
#include <tgmap/descriptor.hpp>
#include <vector>

#include "cli/input/one_object.hpp"
#include "cli/print/caption.hpp"
#include "cli/print/json.hpp"
#include "picture/slice.hpp"
#include "statistics/accumulator.hpp"

namespace tgmap::cli {

/// A field and the part of it to show.
struct shown_field {
  one_object which;
  descriptor what{};
  caption words{};
  picture::slice part{};
  bool part_chosen = false;  ///< the user gave the part
};

/// Returns the title, and the line below it with dtype, shape and address.
std::string title_of(const shown_field&);
std::string place_of(const shown_field&);

/// Returns the slice that is shown; empty for the whole field.
std::string part_of(const shown_field&);

/// Returns "1048576 elements, none missing", and "min 262.5   max 328.67   mean 304.7   std 18.1   K" if any is finite.
std::vector<std::string> numbers_of(const shown_field&, const statistics::accumulator&);

json as_json(const shown_field&, const statistics::accumulator&);

}  // namespace tgmap::cli

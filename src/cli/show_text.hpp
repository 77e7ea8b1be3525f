// SPDX-License-Identifier: Apache-2.0
// What `show` says in words of the numbers it shows.
#pragma once

#include <string>
#include <tgmap/descriptor.hpp>
#include <vector>

#include "cli/caption.hpp"
#include "cli/json.hpp"
#include "cli/one_object.hpp"
#include "picture/slice.hpp"
#include "statistics/accumulator.hpp"

namespace tgmap::cli {

/// A field, or the part of it that is shown.
struct shown_field {
  one_object which;
  descriptor what{};
  caption words{};
  picture::slice part{};
  bool part_chosen = false;  ///< by the user
};

/// The title, and a line below it for type, shape and place, without line ends.
std::string title_of(const shown_field&);
std::string place_of(const shown_field&);

/// Which part it is; empty: all of it.
std::string part_of(const shown_field&);

/// "1048576 elements, none missing", and "min 262.5   max 328.67   mean 304.7   std 18.1   K" when one is finite.
std::vector<std::string> numbers_of(const shown_field&, const statistics::accumulator&);

json as_json(const shown_field&, const statistics::accumulator&);

}  // namespace tgmap::cli

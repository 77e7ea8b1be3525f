// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/input/selection.hpp"
#include "cli/output/output_options.hpp"
#include "cli/verbs/read/extract/extract_destination.hpp"
#include "cli/verbs/read/extract/extract_objects.hpp"

namespace tgmap::cli {

struct extract_options {
  std::vector<std::string> from;
  std::string to;
  std::string format;
  selection_options chosen;
  output_options outputs;
  bool stored = false;
  bool as_stored = false;
  bool verify = false;
  bool json = false;
};

/// Writes all objects to a destination, under these names of files or members. Reports objects that cannot be decoded,
/// and goes on if every object has its own file.
void extract_all(const extract_options&, const extract_objects&, const extract_destination&,
                 std::vector<std::string> names, session&);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "support/runner.hpp"

namespace tgmap_bench {

/// Prints a table.
class table_reporter {
 public:
  void heading(const std::string& machine) const;
  void row(const finished_row&) const;
  void summary(const std::vector<finished_row>&) const;
};

/// Prints each row as a JSON object on a line of its own.
class json_reporter {
 public:
  void row(const finished_row&) const;
};

}  // namespace tgmap_bench

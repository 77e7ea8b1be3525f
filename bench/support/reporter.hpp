// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "support/runner.hpp"

namespace tgmap_bench {

/// A table for people.
class table_reporter {
 public:
  void heading(const std::string& machine) const;
  void row(const finished_row&) const;
  void summary(const std::vector<finished_row>&) const;
};

/// One JSON object a line.
class json_reporter {
 public:
  void row(const finished_row&) const;
};

}  // namespace tgmap_bench

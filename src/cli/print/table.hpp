// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/app/output.hpp"

namespace tgmap::cli {

/// A table with a header: aligned at a terminal, tab-separated elsewhere. Aligned rows are written in blocks, which
/// bounds memory and shows the first rows early; a column may widen from one block to the next. The last column is not
/// padded.
class table {
 public:
  enum class align : bool { left, right };
  struct column {
    std::string_view name;
    align side = align::left;
  };

  table(output& out, std::vector<column> columns) : table(out, std::move(columns), out.is_terminal()) {}
  table(output& out, std::vector<column> columns, bool aligned);

  const std::vector<column>& columns() const noexcept { return columns_; }

  /// Adds a row of one cell per column. Cells must be escaped.
  void row(std::vector<std::string> cells);
  /// Writes the remaining rows, and the header if it is not written yet.
  void finish();

 private:
  std::string line(const std::vector<std::string>& cells) const;

  output* out_;
  bool aligned_;
  std::vector<column> columns_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool header_written_ = false;
};

}  // namespace tgmap::cli

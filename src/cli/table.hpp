// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output.hpp"

namespace tgmap::cli {

/// Columns below a header: aligned at a terminal, between tabs elsewhere. Aligned rows go out in blocks, so that a
/// million of them need little memory and the first ones show soon; a column may widen from one block to the next. The
/// last column is not padded.
class table {
 public:
  enum class align : bool { left, right };
  struct column {
    std::string_view name;
    align side = align::left;
  };

  table(output& out, std::vector<column> columns) : table(out, std::move(columns), out.terminal()) {}
  table(output& out, std::vector<column> columns, bool aligned);

  const std::vector<column>& columns() const noexcept { return columns_; }

  /// One cell for each column, escaped already.
  void row(std::vector<std::string> cells);
  /// Writes what is still held back. Without rows the header alone.
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

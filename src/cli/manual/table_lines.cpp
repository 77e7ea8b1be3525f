// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/table_lines.hpp"

#include <algorithm>
#include <utility>

namespace tgmap::cli::manual {

namespace {

constexpr std::size_t between_columns = 2;

using cell = std::vector<printed_line>;

struct column {
  std::size_t width = 0, least = 0;  ///< the longest word must fit
};

std::vector<column> columns_of(const block& what, std::size_t width, const emphasis& bold) {
  std::vector<column> out;
  for (const auto& row : what.rows) {
    out.resize(std::max(out.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      out[c].width = std::max(out[c].width, wrapped(row[c], SIZE_MAX / 2, bold).front().width);
      for (const printed_line& word : wrapped(row[c], 1, bold)) out[c].least = std::max(out[c].least, word.width);
    }
  }
  std::size_t all = out.empty() ? 0 : (out.size() - 1) * between_columns;
  for (const column& each : out) all += each.width;
  for (; all > width; --all) {
    const auto can_give = [](const column& of) { return of.width > of.least ? of.width : 0; };
    const auto widest = std::max_element(out.begin(), out.end(),
                                         [&](const auto& a, const auto& b) { return can_give(a) < can_give(b); });
    if (can_give(*widest) == 0) break;
    --widest->width;
  }
  return out;
}

std::string line_of(const std::vector<cell>& cells, std::size_t n, const std::vector<column>& columns) {
  std::string out;
  std::size_t owed = 0;  // blanks before the next thing that shows
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const printed_line here = n < cells[c].size() ? cells[c][n] : printed_line{};
    if (here.width != 0) out.append(std::exchange(owed, 0), ' ').append(here.text);
    owed += between_columns + columns[c].width - std::min(columns[c].width, here.width);
  }
  return out;
}

}  // namespace

std::vector<std::string> table_lines(const block& what, std::size_t width, const emphasis& bold) {
  const std::vector<column> columns = columns_of(what, width, bold);
  std::vector<std::string> out;
  for (const auto& row : what.rows) {
    const bool names = what.named && &row == &what.rows.front();
    std::vector<cell> cells;
    std::size_t height = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
      cells.push_back(wrapped(names ? "**" + row[c] + "**" : row[c], columns[c].width, bold));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t n = 0; n < height; ++n) out.push_back(line_of(cells, n, columns));
  }
  return out;
}

}  // namespace tgmap::cli::manual

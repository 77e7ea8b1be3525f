// SPDX-License-Identifier: Apache-2.0
// Many elements brought into few cells, in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tgmap::picture {

/// The elements of a map in a grid of cells that is no finer than it: means over the finite elements of each cell.
class map_cells {
 public:
  /// `rows` × `columns` elements into at most `most_rows` × `most_columns` cells; none of them 0.
  map_cells(std::uint64_t rows, std::uint64_t columns, std::size_t most_rows, std::size_t most_columns);

  /// Elements in C order, the first one's number being `at`.
  void add(std::uint64_t at, std::span<const double>, bool all_finite);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return edges_.size() - 1; }
  /// NaN when no element of the cell is finite.
  double at(std::size_t row, std::size_t column) const noexcept;

 private:
  void add_run(std::size_t row, std::uint64_t column, std::span<const double>, bool all_finite);

  std::uint64_t all_rows_, all_columns_;
  std::size_t rows_;
  std::vector<std::uint64_t> edges_;  // the first element of each cell in a row, and their end
  std::vector<double> sums_;
  std::vector<std::uint64_t> counts_;
};

/// The elements of a line in columns, no more than there are elements: least, greatest and mean of the finite ones.
class line_cells {
 public:
  line_cells(std::uint64_t elements, std::size_t most);

  void add(std::uint64_t at, std::span<const double>);

  struct column {
    double least, greatest, sum = 0;
    std::uint64_t count = 0;
    bool empty() const noexcept { return count == 0; }
    double mean() const noexcept { return sum / static_cast<double>(count); }
  };
  std::span<const column> columns() const noexcept { return columns_; }
  std::uint64_t elements() const noexcept { return elements_; }

 private:
  std::uint64_t elements_;
  std::vector<column> columns_;
};

}  // namespace tgmap::picture

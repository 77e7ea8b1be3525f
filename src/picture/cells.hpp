// SPDX-License-Identifier: Apache-2.0
// Reduce many elements to the few cells of a picture, in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tgmap::picture {

/// The reason why a cell without a finite element has none.
enum class cell_content : std::uint8_t {
  finite,    ///< it has one
  missing,   ///< all its elements are NaN
  infinite,  ///< at least one is infinite
  outside,   ///< no element is near
};

/// A `finite_sum` is a sum of finite numbers for their mean. Numbers whose sum overflows are scaled.
class finite_sum {
 public:
  /// Adds the finite ones of some numbers, whose plain sum the caller has computed.
  void add(std::span<const double> numbers, double sum) noexcept;
  double mean(std::uint64_t count) const noexcept;

 private:
  static constexpr double scale = 0x1p-64;  // no count of numbers makes their sum overflow

  double value_ = 0;
  bool is_scaled_ = false;
};

/// A `cell_map` is the cells of a map, from which it is drawn.
class cell_map {
 public:
  virtual ~cell_map() = default;
  virtual std::size_t rows() const noexcept = 0;
  virtual std::size_t columns() const noexcept = 0;
  /// Returns the mean of a cell; NaN if the cell has no finite element.
  virtual double at(std::size_t row, std::size_t column) const noexcept = 0;
  virtual cell_content content(std::size_t row, std::size_t column) const noexcept = 0;
};

/// A `map_cells` reduces the elements of a map to a grid of means. Only finite elements count.
class map_cells final : public cell_map {
 public:
  /// Reduces `rows` × `columns` elements to at most `max_rows` × `max_columns` cells. No argument is 0.
  map_cells(std::uint64_t rows, std::uint64_t columns, std::size_t max_rows, std::size_t max_columns);

  /// Adds elements in C order. `at` is the index of the first one.
  void add(std::uint64_t at, std::span<const double>, bool all_finite);

  std::size_t rows() const noexcept override { return rows_; }
  std::size_t columns() const noexcept override { return edges_.size() - 1; }
  double at(std::size_t row, std::size_t column) const noexcept override;
  cell_content content(std::size_t row, std::size_t column) const noexcept override;

 private:
  void add_run(std::size_t row, std::uint64_t column, std::span<const double>, bool all_finite);

  std::uint64_t source_rows_, source_columns_;
  std::size_t rows_;
  std::vector<std::uint64_t> edges_;  // first source column of each cell, and the end of the last cell
  std::vector<finite_sum> sums_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint8_t> has_infinite_;
};

/// A `line_cells` reduces the elements of a line to columns with min, max and mean. Only finite elements count.
class line_cells {
 public:
  /// Reduces `elements` elements to at most `max_columns` columns.
  line_cells(std::uint64_t elements, std::size_t max_columns);

  /// Adds elements in order. `at` is the index of the first one.
  void add(std::uint64_t at, std::span<const double>);

  struct column {
    double min, max;
    finite_sum sum{};
    std::uint64_t count = 0;
    bool has_infinite = false;
    bool is_empty() const noexcept { return count == 0; }
    double mean() const noexcept { return sum.mean(count); }
    cell_content content() const noexcept {
      return !is_empty() ? cell_content::finite : has_infinite ? cell_content::infinite : cell_content::missing;
    }
  };
  std::span<const column> columns() const noexcept { return columns_; }
  std::uint64_t elements() const noexcept { return elements_; }

 private:
  std::uint64_t elements_;
  std::vector<column> columns_;
};

}  // namespace tgmap::picture

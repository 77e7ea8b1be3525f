// SPDX-License-Identifier: Apache-2.0
#include "picture/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tgmap::picture {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::uint64_t cell_count(std::uint64_t elements, std::size_t max_count) {
  return std::min<std::uint64_t>(elements, max_count);
}

/// Returns the cell of element `i`: i * cells / elements, without overflow.
std::uint64_t cell_of(std::uint64_t i, std::uint64_t elements, std::uint64_t cells) {
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<wide>(i) * cells / elements);
}

/// Returns the first element of a cell.
std::uint64_t first_element_of(std::uint64_t cell, std::uint64_t elements, std::uint64_t cells) {
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<wide>(cell) * elements + cells - 1) / cells);
}

double sum_of(const double* x, std::uint64_t n) noexcept {
  double a = 0, b = 0, c = 0, d = 0;  // four independent sums, which the processor adds in parallel
  std::uint64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    a += x[i];
    b += x[i + 1];
    c += x[i + 2];
    d += x[i + 3];
  }
  for (; i < n; ++i) a += x[i];
  return (a + b) + (c + d);
}

}  // namespace

void finite_sum::add(std::span<const double> numbers, double sum) noexcept {
  if (const double next = value_ + sum; !is_scaled_ && std::isfinite(next)) {
    value_ = next;
    return;
  }
  if (!is_scaled_) value_ *= scale;
  is_scaled_ = true;
  for (const double x : numbers)
    if (std::isfinite(x)) value_ += x * scale;
}

double finite_sum::mean(std::uint64_t count) const noexcept {
  constexpr double largest = std::numeric_limits<double>::max();
  const double mean = value_ / static_cast<double>(count);
  return is_scaled_ ? std::clamp(mean, -largest * scale, largest * scale) / scale : mean;
}

map_cells::map_cells(std::uint64_t rows, std::uint64_t columns, std::size_t max_rows, std::size_t max_columns)
    : source_rows_(rows), source_columns_(columns), rows_(static_cast<std::size_t>(cell_count(rows, max_rows))) {
  const std::uint64_t cells = cell_count(columns, max_columns);
  for (std::uint64_t c = 0; c <= cells; ++c) edges_.push_back(first_element_of(c, columns, cells));
  sums_.resize(rows_ * this->columns());
  counts_.resize(sums_.size());
  has_infinite_.resize(sums_.size());
}

void map_cells::add(std::uint64_t at, std::span<const double> numbers, bool all_finite) {
  while (!numbers.empty()) {
    const std::uint64_t row = at / source_columns_, column = at % source_columns_;
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(source_columns_ - column, numbers.size()));
    add_run(static_cast<std::size_t>(cell_of(row, source_rows_, rows_)), column, numbers.first(n), all_finite);
    numbers = numbers.subspan(n);
    at += n;
  }
}

void map_cells::add_run(std::size_t row, std::uint64_t column, std::span<const double> numbers, bool all_finite) {
  auto cell = static_cast<std::size_t>(cell_of(column, source_columns_, columns()));
  finite_sum* const sums = &sums_[row * columns()];
  std::uint64_t* const counts = &counts_[row * columns()];
  std::uint8_t* const has_infinite = &has_infinite_[row * columns()];
  for (std::uint64_t done = 0; done < numbers.size(); ++cell) {
    const std::uint64_t n = std::min<std::uint64_t>(edges_[cell + 1] - column - done, numbers.size() - done);
    const double* const from = numbers.data() + done;
    done += n;
    if (all_finite) {
      sums[cell].add({from, n}, sum_of(from, n));
      counts[cell] += n;
      continue;
    }
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const bool finite = from[i] - from[i] == 0;
      sum += finite ? from[i] : 0;
      counts[cell] += finite ? 1U : 0U;
      if (!finite && from[i] == from[i]) has_infinite[cell] = 1;
    }
    sums[cell].add({from, n}, sum);
  }
}

double map_cells::at(std::size_t row, std::size_t column) const noexcept {
  const std::size_t i = row * columns() + column;
  return counts_[i] == 0 ? std::numeric_limits<double>::quiet_NaN() : sums_[i].mean(counts_[i]);
}

cell_content map_cells::content(std::size_t row, std::size_t column) const noexcept {
  const std::size_t i = row * columns() + column;
  if (counts_[i] != 0) return cell_content::finite;
  return has_infinite_[i] != 0 ? cell_content::infinite : cell_content::missing;
}

line_cells::line_cells(std::uint64_t elements, std::size_t max_count)
    : elements_(elements),
      columns_(static_cast<std::size_t>(cell_count(elements, max_count)), column{infinity, -infinity}) {}

void line_cells::add(std::uint64_t at, std::span<const double> numbers) {
  while (!numbers.empty()) {
    const std::uint64_t number = cell_of(at, elements_, columns_.size());
    const std::uint64_t end = first_element_of(number + 1, elements_, columns_.size());
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(end - at, numbers.size()));
    column to = columns_[static_cast<std::size_t>(number)];
    double sum = 0;
    for (const double x : numbers.first(n)) {
      if (x - x != 0) {
        to.has_infinite = to.has_infinite || x == x;
        continue;
      }
      to.min = std::min(to.min, x);
      to.max = std::max(to.max, x);
      sum += x;
      ++to.count;
    }
    to.sum.add(numbers.first(n), sum);
    columns_[static_cast<std::size_t>(number)] = to;
    numbers = numbers.subspan(n);
    at += n;
  }
}

}  // namespace tgmap::picture

// SPDX-License-Identifier: Apache-2.0
#include "picture/image/image_line.hpp"

#include <algorithm>
#include <cmath>

namespace tgmap::picture {

namespace {

constexpr margins around_plot{.left = 104, .top = 78, .right = 32, .bottom = 62};
constexpr colour line_colour{31, 104, 156}, grid_colour{228, 228, 228};
constexpr double inset = 10;            // pixels between the extremes and the frame
constexpr std::size_t max_marked = 80;  // a line of at most so many points shows each of them as a dot

std::optional<gap_kind> gap_at(const line_cells::column& c, const scale& values) {
  return find_gap(c.content(), c.is_empty() ? 0 : c.mean(), values);
}

bool is_shown(const line_cells::column& c, const scale& values) { return !gap_at(c, values); }

}  // namespace

image_line::image_line(axis along, std::optional<image_size> wanted)
    : axis_(std::move(along)), layout_(make_layout(wanted, std::nullopt, around_plot)) {}

double image_line::x_of(std::size_t column, std::size_t columns) const {
  const double position = (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
  return layout_.plot_area.x + (axis_.is_reversed() ? 1 - position : position) * layout_.plot_area.width;
}

double image_line::y_of(double number, const scale& values) const {
  const double gap = inset * layout_.unit;
  return layout_.plot_area.bottom() - gap - values(number) * (layout_.plot_area.height - 2 * gap);
}

std::string image_line::draw(const line_cells& cells, const scale& values, const caption& text) const {
  canvas on(layout_.image.width, layout_.image.height);
  image_frame frame(on, layout_);
  image_gaps gaps(layout_);
  draw_gaps(on, cells.columns(), values, gaps);
  auto ticks = make_ticks(values, max_labels_left(layout_));
  for (tick& t : ticks) {
    const double gap = inset * layout_.unit / layout_.plot_area.height;
    t.position = 1 - gap - t.position * (1 - 2 * gap);
    const double y = layout_.plot_area.y + t.position * layout_.plot_area.height;
    on.line({layout_.plot_area.x, y}, {layout_.plot_area.right(), y}, grid_colour, layout_.unit);
  }
  draw_line(on, cells, values);
  frame.draw_outline();
  frame.draw_title(text);
  frame.draw_axis_left(ticks, text.unit);
  frame.draw_axis_below(make_ticks(axis_, max_labels_below(layout_), true),
                        axis_.kind == axis_kind::index ? "index" : axis_.name);
  gaps.draw_legend_before(on, {layout_.plot_area.right(), layout_.plot_area.bottom() + 35 * layout_.unit});
  return on.png();
}

void image_line::draw_gaps(canvas& on, std::span<const line_cells::column> columns, const scale& values,
                           image_gaps& gaps) const {
  const double half = layout_.plot_area.width / static_cast<double>(columns.size()) / 2;
  for (std::size_t i = 0; i < columns.size();) {
    const std::optional<gap_kind> kind = gap_at(columns[i], values);
    const std::size_t begin = i;
    while (i < columns.size() && gap_at(columns[i], values) == kind) ++i;
    if (!kind) continue;
    gaps.add(*kind);
    const auto [left, right] = std::minmax({x_of(begin, columns.size()), x_of(i - 1, columns.size())});
    gaps.fill(on, {left - half, layout_.plot_area.y, right - left + 2 * half, layout_.plot_area.height}, *kind);
  }
}

void image_line::draw_line(canvas& on, const line_cells& cells, const scale& values) const {
  const auto columns = cells.columns();
  const double u = layout_.unit;
  for (std::size_t i = 0; i < columns.size();) {
    if (!is_shown(columns[i], values)) {
      ++i;
      continue;
    }
    std::vector<point> means, range;
    const std::size_t begin = i;
    for (; i < columns.size() && is_shown(columns[i], values); ++i) {
      const double x = x_of(i, columns.size());
      means.push_back({x, y_of(columns[i].mean(), values)});
      range.push_back({x, y_of(columns[i].max, values)});
    }
    for (std::size_t back = i; back-- > begin;) {
      const double min = values(columns[back].min);  // NaN if it has no logarithm
      range.push_back(
          {x_of(back, columns.size()), std::isnan(min) ? y_of(values.min(), values) : y_of(columns[back].min, values)});
    }
    const bool has_ranges = cells.elements() > columns.size();
    if (has_ranges) on.area(range, line_colour, 0.35);
    on.path(means, line_colour, (has_ranges ? 1 : 1.6) * u);
    const double dot = 2.6 * u;
    if (means.size() == 1 || columns.size() <= max_marked)
      for (const point& p : means) on.fill({p.x - dot, p.y - dot, 2 * dot, 2 * dot}, line_colour);
  }
}

}  // namespace tgmap::picture

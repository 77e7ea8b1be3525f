// SPDX-License-Identifier: Apache-2.0
#include "picture/plot_image.hpp"

#include <algorithm>
#include <cmath>

#include "picture/map_image.hpp"

namespace tgmap::picture {

namespace {

constexpr margins around_plot{.left = 104, .top = 78, .right = 32, .bottom = 62};
constexpr colour line_ink{31, 104, 156}, grid_ink{228, 228, 228};
constexpr double inset = 10;       // between the extremes and the frame
constexpr double few_points = 80;  // so many are marked one by one

bool shown(const line_cells::column& c, const scale& values) { return !c.empty() && !std::isnan(values(c.mean())); }

}  // namespace

plot_image::plot_image(axis along, std::optional<image_size> wanted)
    : along_(std::move(along)), layout_(lay_out(wanted, std::nullopt, around_plot)) {}

double plot_image::x_of(std::size_t column, std::size_t columns) const {
  const double place = (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
  return layout_.plot.x + (along_.turned() ? 1 - place : place) * layout_.plot.width;
}

double plot_image::y_of(double number, const scale& values) const {
  const double gap = inset * layout_.unit;
  return layout_.plot.bottom() - gap - values(number) * (layout_.plot.height - 2 * gap);
}

std::string plot_image::draw(const line_cells& cells, const scale& values, const picture_words& say) const {
  canvas on(layout_.image.width, layout_.image.height);
  image_frame frame(on, layout_);
  draw_missing(on, cells.columns(), values);
  auto marks = marks_of(values, labels_left(layout_));
  for (mark& m : marks) {
    const double gap = inset * layout_.unit / layout_.plot.height;
    m.place = 1 - gap - m.place * (1 - 2 * gap);
    const double y = layout_.plot.y + m.place * layout_.plot.height;
    on.line({layout_.plot.x, y}, {layout_.plot.right(), y}, grid_ink, layout_.unit);
  }
  draw_line(on, cells, values);
  frame.outline();
  frame.words(say);
  frame.left(marks, say.unit);
  frame.below(marks_of(along_, labels_below(layout_), true), along_.kind == axis_kind::index ? "index" : along_.name);
  return on.png();
}

void plot_image::draw_missing(canvas& on, std::span<const line_cells::column> columns, const scale& values) const {
  const double half = layout_.plot.width / static_cast<double>(columns.size()) / 2;
  for (std::size_t i = 0; i < columns.size();) {
    if (shown(columns[i], values)) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < columns.size() && !shown(columns[i], values)) ++i;
    const auto [left, right] = std::minmax({x_of(begin, columns.size()), x_of(i - 1, columns.size())});
    on.hatch({left - half, layout_.plot.y, right - left + 2 * half, layout_.plot.height}, missing_ground,
             missing_lines);
  }
}

void plot_image::draw_line(canvas& on, const line_cells& cells, const scale& values) const {
  const auto columns = cells.columns();
  const double u = layout_.unit;
  for (std::size_t i = 0; i < columns.size();) {
    if (!shown(columns[i], values)) {
      ++i;
      continue;
    }
    std::vector<point> means, around;
    const std::size_t begin = i;
    for (; i < columns.size() && shown(columns[i], values); ++i) {
      const double x = x_of(i, columns.size());
      means.push_back({x, y_of(columns[i].mean(), values)});
      around.push_back({x, y_of(columns[i].greatest, values)});
    }
    for (std::size_t back = i; back-- > begin;) {
      const double least = values(columns[back].least);  // on a logarithmic scale there may be none
      around.push_back({x_of(back, columns.size()),
                        std::isnan(least) ? y_of(values.least(), values) : y_of(columns[back].least, values)});
    }
    const bool several = cells.elements() > columns.size();
    if (several) on.area(around, line_ink, 0.35);
    on.path(means, line_ink, (several ? 1 : 1.6) * u);
    const double dot = 2.6 * u;
    if (means.size() == 1 || static_cast<double>(columns.size()) <= few_points)
      for (const point& p : means) on.fill({p.x - dot, p.y - dot, 2 * dot, 2 * dot}, line_ink);
  }
}

}  // namespace tgmap::picture

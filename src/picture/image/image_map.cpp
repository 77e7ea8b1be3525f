// SPDX-License-Identifier: Apache-2.0
#include "picture/image/image_map.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tgmap::picture {

namespace {

constexpr margins around_map{.left = 92, .top = 78, .right = 142, .bottom = 62};

/// The two source pixels that one pixel covers along one side, and the share of the first.
struct coverage {
  std::size_t first, second;
  double share;
};

std::vector<coverage> make_coverage(std::size_t from, std::size_t to) {
  std::vector<coverage> out(to);
  const double step = static_cast<double>(from) / static_cast<double>(to);
  for (std::size_t i = 0; i < to; ++i) {
    const double begin = static_cast<double>(i) * step;
    const std::size_t first = std::min(static_cast<std::size_t>(begin), from - 1);
    const double share = (static_cast<double>(first + 1) - begin) / step;
    out[i] = {first, std::min(first + 1, from - 1), std::clamp(share, 0.0, 1.0)};
    if (out[i].share > 1 - 1e-9) out[i].second = first;
  }
  return out;
}

/// A weighted mean of pixels.
struct pixel_mean {
  double red = 0, green = 0, blue = 0, opacity = 0;

  void add(const pixel& p, double share) {
    const double weight = share * p.opacity;
    red += weight * p.rgb.red;
    green += weight * p.rgb.green;
    blue += weight * p.rgb.blue;
    opacity += weight;
  }
  pixel value() const {
    if (opacity <= 0) return {};
    const auto channel = [&](double x) { return static_cast<std::uint8_t>(std::lround(x / opacity)); };
    return {{channel(red), channel(green), channel(blue)}, static_cast<std::uint8_t>(std::lround(opacity))};
  }
};

}  // namespace

image_map::image_map(axis rows, axis columns, std::optional<image_size> wanted)
    : vertical_(std::move(rows)),
      horizontal_(std::move(columns)),
      layout_(make_layout(wanted, static_cast<double>(vertical_.size) / static_cast<double>(horizontal_.size),
                          around_map)) {}

std::string image_map::draw(const cell_map& cells, const std::optional<scale>& values, const colour_map& map,
                            const caption& text) const {
  image_gaps gaps(layout_);
  std::vector<std::optional<gap_kind>> gap_of(cells.rows() * cells.columns());
  std::vector<bool> is_outside(gap_of.size());
  std::vector<pixel> pixels(gap_of.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    std::size_t row = i / cells.columns(), column = i % cells.columns();
    if (vertical_.is_reversed()) row = cells.rows() - 1 - row;
    if (horizontal_.is_reversed()) column = cells.columns() - 1 - column;
    is_outside[i] = cells.content(row, column) == cell_content::outside;
    if (is_outside[i]) continue;  // transparent
    const double mean = cells.at(row, column);
    gap_of[i] = find_gap(cells.content(row, column), mean, values);
    if (gap_of[i])
      gaps.add(*gap_of[i]);
    else
      pixels[i] = {map((*values)(mean)), 255};
  }

  canvas on(layout_.image.width, layout_.image.height);
  image_frame frame(on, layout_);
  std::vector<pixel> enlarged = enlarge(pixels, cells.columns(), rows(), columns());
  if (!gaps.kinds().empty())
    for (std::size_t y = 0; y < rows(); ++y)
      for (std::size_t x = 0; x < columns(); ++x) {
        const std::size_t cell = y * cells.rows() / rows() * cells.columns() + x * cells.columns() / columns();
        pixel& at = enlarged[y * columns() + x];
        if (is_outside[cell]) continue;
        if (gap_of[cell]) at = gaps.at(x, y, *gap_of[cell]);
        at.opacity = 255;  // also beside a gap
      }
  on.image(layout_.plot_area, enlarged, columns());
  frame.draw_outline();
  frame.draw_title(text);
  frame.draw_axis_left(make_ticks(vertical_, max_labels_left(layout_), true), vertical_.name);
  frame.draw_axis_below(make_ticks(horizontal_, max_labels_below(layout_), true), horizontal_.name);
  draw_legend(on, values, map, text.unit, gaps);
  return on.png();
}

void image_map::draw_legend(canvas& on, const std::optional<scale>& values, const colour_map& map,
                            const std::string& unit, const image_gaps& gaps) const {
  const double u = layout_.unit;
  const text_style style{.size = 13 * u};
  const box bar{layout_.plot_area.right() + 22 * u, layout_.plot_area.y, 20 * u, layout_.plot_area.height};
  if (values) {
    std::vector<pixel> gradient(256);
    for (std::size_t i = 0; i < gradient.size(); ++i)
      gradient[i] = {map(1 - static_cast<double>(i) / static_cast<double>(gradient.size() - 1)), 255};
    on.image(bar, gradient, 1);
    on.outline(bar, frame_colour, u);
    double widest = 0;
    for (const tick& t : make_ticks(*values, max_labels_left(layout_))) {
      widest = std::max(widest, on.width_of(t.label, style));
      const double y = bar.bottom() - t.position * bar.height;
      on.line({bar.right(), y}, {bar.right() + 5 * u, y}, frame_colour, u);
      on.text({bar.right() + 9 * u, y}, t.label, style);
    }
    on.text_upwards({bar.right() + 26 * u + widest, bar.y + bar.height / 2}, unit, style);
  }
  gaps.draw_legend_below(on, {bar.x, layout_.plot_area.bottom() + 6 * u});
}

std::vector<pixel> enlarge(const std::vector<pixel>& from, std::size_t from_columns, std::size_t rows,
                           std::size_t columns) {
  const auto down = make_coverage(from.size() / from_columns, rows), across = make_coverage(from_columns, columns);
  std::vector<pixel> out;
  out.reserve(rows * columns);
  for (const coverage& d : down)
    for (const coverage& a : across) {
      const auto at = [&](std::size_t row, std::size_t column) { return from[row * from_columns + column]; };
      if (d.first == d.second && a.first == a.second) {
        out.push_back(at(d.first, a.first));
        continue;
      }
      pixel_mean mean;
      mean.add(at(d.first, a.first), d.share * a.share);
      mean.add(at(d.first, a.second), d.share * (1 - a.share));
      mean.add(at(d.second, a.first), (1 - d.share) * a.share);
      mean.add(at(d.second, a.second), (1 - d.share) * (1 - a.share));
      out.push_back(mean.value());
    }
  return out;
}

}  // namespace tgmap::picture

// SPDX-License-Identifier: Apache-2.0
#include "picture/map_image.hpp"

#include <algorithm>
#include <cmath>

namespace tgmap::picture {

namespace {

constexpr margins around_map{.left = 92, .top = 78, .right = 142, .bottom = 62};

}  // namespace

map_image::map_image(axis rows, axis columns, std::optional<image_size> wanted)
    : vertical_(std::move(rows)),
      horizontal_(std::move(columns)),
      layout_(
          lay_out(wanted, static_cast<double>(vertical_.size) / static_cast<double>(horizontal_.size), around_map)) {}

std::string map_image::draw(const map_cells& cells, const std::optional<scale>& colours, const colour_map& map,
                            const picture_words& say) const {
  bool missing = false;
  std::vector<pixel> pixels(cells.rows() * cells.columns());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    std::size_t row = i / cells.columns(), column = i % cells.columns();
    if (vertical_.turned()) row = cells.rows() - 1 - row;
    if (horizontal_.turned()) column = cells.columns() - 1 - column;
    const double t = colours ? (*colours)(cells.at(row, column)) : std::nan("");
    if (std::isnan(t))
      missing = true;
    else
      pixels[i] = {map(t), 255};
  }

  canvas on(layout_.image.width, layout_.image.height);
  image_frame frame(on, layout_);
  if (missing) on.hatch(layout_.plot, missing_ground, missing_lines);
  on.image(layout_.plot, stretched(pixels, cells.columns(), rows(), columns()), columns());
  frame.outline();
  frame.words(say);
  frame.left(marks_of(vertical_, labels_left(layout_), true), vertical_.name);
  frame.below(marks_of(horizontal_, labels_below(layout_), true), horizontal_.name);
  draw_legend(on, colours, map, say.unit, missing);
  return on.png();
}

void map_image::draw_legend(canvas& on, const std::optional<scale>& colours, const colour_map& map,
                            const std::string& unit, bool missing) const {
  const double u = layout_.unit;
  const text_style style{.size = 13 * u};
  const box bar{layout_.plot.right() + 22 * u, layout_.plot.y, 20 * u, layout_.plot.height};
  if (colours) {
    std::vector<pixel> gradient(256);
    for (std::size_t i = 0; i < gradient.size(); ++i)
      gradient[i] = {map(1 - static_cast<double>(i) / static_cast<double>(gradient.size() - 1)), 255};
    on.image(bar, gradient, 1);
    on.outline(bar, frame_ink, u);
    double widest = 0;
    for (const mark& m : marks_of(*colours, labels_left(layout_))) {
      widest = std::max(widest, on.width_of(m.label, style));
      const double y = bar.bottom() - m.place * bar.height;
      on.line({bar.right(), y}, {bar.right() + 5 * u, y}, frame_ink, u);
      on.text({bar.right() + 9 * u, y}, m.label, style);
    }
    on.text_upwards({bar.right() + 26 * u + widest, bar.y + bar.height / 2}, unit, style);
  }
  if (!missing) return;
  const box sample{bar.x, layout_.plot.bottom() + 18 * u, 20 * u, 14 * u};
  on.hatch(sample, missing_ground, missing_lines);
  on.outline(sample, frame_ink, u);
  on.text({sample.right() + 8 * u, sample.y + sample.height / 2}, "missing", style);
}

}  // namespace tgmap::picture

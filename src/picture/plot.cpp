// SPDX-License-Identifier: Apache-2.0
#include "picture/plot.hpp"

#include <utility>

#include "picture/cells.hpp"
#include "picture/image/image_line.hpp"
#include "picture/image/image_map.hpp"
#include "picture/terminal/terminal_line.hpp"
#include "picture/terminal/terminal_map.hpp"

namespace tgmap::picture {

namespace {

/// Joins the cells of a map and a class that draws them.
template <class Picture>
class map_plot final : public plot {
 public:
  map_plot(std::uint64_t rows, std::uint64_t columns, Picture picture)
      : picture_(std::move(picture)), cells_(rows, columns, picture_.rows(), picture_.columns()) {}

  void add(std::uint64_t at, std::span<const double> numbers, bool all_finite) override {
    cells_.add(at, numbers, all_finite);
  }
  std::string draw(const std::optional<scale>& values, const colour_map& map, const caption& text) const override {
    return picture_.draw(cells_, values, map, text);
  }

 private:
  Picture picture_;
  map_cells cells_;
};

/// Joins the cells of a line and a class that draws them.
template <class Picture>
class line_plot final : public plot {
 public:
  line_plot(std::uint64_t elements, Picture picture)
      : picture_(std::move(picture)), cells_(elements, picture_.columns()) {}

  void add(std::uint64_t at, std::span<const double> numbers, bool) override { cells_.add(at, numbers); }
  std::string draw(const std::optional<scale>& values, const colour_map&, const caption& text) const override {
    return values ? picture_.draw(cells_, *values, text) : std::string();
  }

 private:
  Picture picture_;
  line_cells cells_;
};

/// Joins the cells of points and a class that draws them as a map.
template <class Picture>
class point_plot final : public plot {
 public:
  point_plot(point_map map, Picture picture)
      : picture_(std::move(picture)), cells_(std::move(map), picture_.rows(), picture_.columns()) {}

  void add(std::uint64_t at, std::span<const double> numbers, bool) override { cells_.add(at, numbers); }
  std::string draw(const std::optional<scale>& values, const colour_map& map, const caption& text) const override {
    return picture_.draw(cells_, values, map, text);
  }

 private:
  Picture picture_;
  point_cells cells_;
};

template <class Map, class Style>
std::unique_ptr<plot> make_point_plot(point_map map, const Style& style) {
  Map picture(map.rows, map.columns, style);
  return std::make_unique<point_plot<Map>>(std::move(map), std::move(picture));
}

template <class Map, class Line, class Style>
std::unique_ptr<plot> make_plot(std::vector<axis> axes, const Style& style) {
  const std::uint64_t first = axes[0].size, last = axes.back().size;
  if (axes.size() == 1) return std::make_unique<line_plot<Line>>(first, Line(std::move(axes[0]), style));
  return std::make_unique<map_plot<Map>>(first, last, Map(std::move(axes[0]), std::move(axes[1]), style));
}

}  // namespace

std::unique_ptr<plot> make_terminal_plot(std::vector<axis> axes, const terminal_style& style) {
  return make_plot<terminal_map, terminal_line>(std::move(axes), style);
}

std::unique_ptr<plot> make_image_plot(std::vector<axis> axes, std::optional<image_size> size) {
  return make_plot<image_map, image_line>(std::move(axes), size);
}

std::unique_ptr<plot> make_terminal_plot(point_map map, const terminal_style& style) {
  return make_point_plot<terminal_map>(std::move(map), style);
}

std::unique_ptr<plot> make_image_plot(point_map map, std::optional<image_size> size) {
  return make_point_plot<image_map>(std::move(map), size);
}

}  // namespace tgmap::picture

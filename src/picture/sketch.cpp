// SPDX-License-Identifier: Apache-2.0
#include "picture/sketch.hpp"

#include <utility>

#include "picture/cells.hpp"
#include "picture/line_plot.hpp"
#include "picture/map_image.hpp"
#include "picture/plot_image.hpp"
#include "picture/terminal_map.hpp"

namespace tgmap::picture {

namespace {

template <class Picture>
class map_sketch final : public sketch {
 public:
  map_sketch(std::uint64_t rows, std::uint64_t columns, Picture planned)
      : picture_(std::move(planned)), cells_(rows, columns, picture_.rows(), picture_.columns()) {}

  void add(std::uint64_t at, std::span<const double> numbers, bool all_finite) override {
    cells_.add(at, numbers, all_finite);
  }
  std::string draw(const std::optional<scale>& values, const colour_map& map, const picture_words& say) const override {
    return picture_.draw(cells_, values, map, say);
  }

 private:
  Picture picture_;
  map_cells cells_;
};

template <class Picture>
class line_sketch final : public sketch {
 public:
  line_sketch(std::uint64_t elements, Picture planned)
      : picture_(std::move(planned)), cells_(elements, picture_.columns()) {}

  void add(std::uint64_t at, std::span<const double> numbers, bool) override { cells_.add(at, numbers); }
  std::string draw(const std::optional<scale>& values, const colour_map&, const picture_words& say) const override {
    return values ? picture_.draw(cells_, *values, say) : std::string();
  }

 private:
  Picture picture_;
  line_cells cells_;
};

template <class Map, class Line, class Room>
std::unique_ptr<sketch> plan(std::vector<axis> axes, const Room& room) {
  const std::uint64_t first = axes[0].size, last = axes.back().size;
  if (axes.size() == 1) return std::make_unique<line_sketch<Line>>(first, Line(std::move(axes[0]), room));
  return std::make_unique<map_sketch<Map>>(first, last, Map(std::move(axes[0]), std::move(axes[1]), room));
}

}  // namespace

std::unique_ptr<sketch> sketch_for_terminal(std::vector<axis> axes, const terminal_style& style) {
  return plan<terminal_map, line_plot>(std::move(axes), style);
}

std::unique_ptr<sketch> sketch_for_image(std::vector<axis> axes, std::optional<image_size> size) {
  return plan<map_image, plot_image>(std::move(axes), size);
}

}  // namespace tgmap::picture

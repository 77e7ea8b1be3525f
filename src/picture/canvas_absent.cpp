// SPDX-License-Identifier: Apache-2.0
// A build without cairo: no canvas is ever made, so nothing is ever drawn on one.
#include "picture/canvas.hpp"

namespace tgmap::picture {

struct canvas::state {};

canvas::canvas(std::size_t, std::size_t) {
  throw no_canvas("this build draws no images", "build with -DTGMAP_CAIRO=ON, where libcairo2-dev is installed");
}
canvas::~canvas() = default;

void canvas::fill(box, colour) {}
void canvas::outline(box, colour, double) {}
void canvas::hatch(box, colour, colour) {}
void canvas::line(point, point, colour, double) {}
void canvas::path(std::span<const point>, colour, double) {}
void canvas::area(std::span<const point>, colour, double) {}
void canvas::image(box, std::span<const pixel>, std::size_t) {}
double canvas::width_of(std::string_view, const text_style&) const { return 0; }
void canvas::text(point, std::string_view, const text_style&, align) {}
void canvas::text_upwards(point, std::string_view, const text_style&, align) {}
std::string canvas::png() const { return {}; }

std::string canvas_version() { return {}; }

}  // namespace tgmap::picture

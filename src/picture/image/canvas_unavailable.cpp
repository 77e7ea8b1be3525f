// SPDX-License-Identifier: Apache-2.0
// A canvas for builds without cairo. The constructor throws, so no other member is ever called.
#include "picture/image/canvas.hpp"

namespace tgmap::picture {

struct canvas::state {};

canvas::canvas(std::size_t, std::size_t) {
  throw canvas_error("this build cannot draw images", "install libcairo2-dev and build with -DTGMAP_CAIRO=ON");
}
canvas::~canvas() = default;

void canvas::fill(box, colour) {}
void canvas::outline(box, colour, double) {}
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

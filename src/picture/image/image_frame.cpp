// SPDX-License-Identifier: Apache-2.0
#include "picture/image/image_frame.hpp"

#include <algorithm>
#include <cmath>

#include "core/text/utf8.hpp"

namespace tgmap::picture {

namespace {

constexpr double default_width = 1200, default_height = 720;           // of an image
constexpr double min_height = 240, max_height = 860, min_width = 420;  // of a plot
constexpr double min_share = 0.125;  // of the room; a thinner plot is stretched to this

std::size_t pixels(double x) { return static_cast<std::size_t>(std::lround(x)); }

}  // namespace

image_layout make_layout(std::optional<image_size> wanted, std::optional<double> shape, const margins& around) {
  image_layout out;
  if (!wanted) {
    double width = default_width - around.left - around.right, height = default_height - around.top - around.bottom;
    if (shape) {
      height = std::clamp(width * *shape, min_height, max_height);
      width = std::clamp(height / *shape, min_width, width);
    }
    out.plot_area = {around.left, around.top, std::round(width), std::round(height)};
    out.image = {pixels(std::max(720.0, around.left + out.plot_area.width + around.right)),
                 pixels(around.top + out.plot_area.height + around.bottom)};
    return out;
  }

  const double width = static_cast<double>(wanted->width), height = static_cast<double>(wanted->height);
  out.image = *wanted;
  out.unit = std::clamp(std::sqrt(width * height / (default_width * default_height)), 0.75, 6.0);
  const double room_x = std::max(width - (around.left + around.right) * out.unit, 16.0);
  const double room_y = std::max(height - (around.top + around.bottom) * out.unit, 16.0);
  double plot_width = room_x, plot_height = room_y;
  if (shape) {
    plot_width = std::clamp(room_y / *shape, room_x * min_share, room_x);
    plot_height = std::clamp(room_x * *shape, room_y * min_share, room_y);
  }
  out.plot_area = {std::round(around.left * out.unit + (room_x - plot_width) / 2),
                   std::round(around.top * out.unit + (room_y - plot_height) / 2), std::round(plot_width),
                   std::round(plot_height)};
  return out;
}

std::size_t max_labels_left(const image_layout& in) noexcept {
  return static_cast<std::size_t>(std::clamp(in.plot_area.height / (44 * in.unit), 2.0, 12.0));
}

std::size_t max_labels_below(const image_layout& in) noexcept {
  return static_cast<std::size_t>(std::clamp(in.plot_area.width / (82 * in.unit), 2.0, 14.0));
}

std::string image_frame::shorten(const std::string& text, const text_style& style, double max_width) const {
  if (canvas_.width_of(text, style) <= max_width) return text;
  std::string out = text;
  while (!out.empty()) {
    out.resize(core::code_point_begin(out, out.size() - 1));
    if (canvas_.width_of(out + "…", style) <= max_width) break;
  }
  return out + "…";
}

void image_frame::draw_title(const caption& text) {
  const double u = layout_.unit, x = std::min(layout_.plot_area.x, 92 * u),
               room = static_cast<double>(layout_.image.width) - x - 16 * u;
  const text_style title{.size = 20 * u, .bold = true, .rgb = {20, 20, 20}};
  const text_style details{.size = 13 * u, .rgb = frame_colour};
  canvas_.text({x, layout_.plot_area.y - 50 * u}, shorten(text.title, title, room), title);
  canvas_.text({x, layout_.plot_area.y - 22 * u}, shorten(text.details, details, room), details);
}

void image_frame::draw_axis_below(const std::vector<tick>& ticks, std::string_view name) {
  const double u = layout_.unit, y = layout_.plot_area.bottom();
  std::vector<tick> sorted = ticks;
  std::sort(sorted.begin(), sorted.end(), [](const tick& a, const tick& b) { return a.position < b.position; });
  double used = -1e9;
  for (const tick& t : sorted) {
    const double x = layout_.plot_area.x + t.position * layout_.plot_area.width,
                 half = canvas_.width_of(t.label, label_style()) / 2;
    if (x - half < used + 6 * u) continue;
    used = x + half;
    canvas_.line({x, y}, {x, y + 6 * u}, frame_colour, u);
    canvas_.text({x, y + 18 * u}, t.label, label_style(), align::middle);
  }
  canvas_.text({layout_.plot_area.x + layout_.plot_area.width / 2, y + 42 * u}, name, label_style(), align::middle);
}

void image_frame::draw_axis_left(const std::vector<tick>& ticks, std::string_view name) {
  const double u = layout_.unit, x = layout_.plot_area.x;
  double widest = 0;
  for (const tick& t : ticks) {
    const double y = layout_.plot_area.y + t.position * layout_.plot_area.height;
    canvas_.line({x - 6 * u, y}, {x, y}, frame_colour, u);
    canvas_.text({x - 10 * u, y}, t.label, label_style(), align::right);
    widest = std::max(widest, canvas_.width_of(t.label, label_style()));
  }
  canvas_.text_upwards({x - 26 * u - widest, layout_.plot_area.y + layout_.plot_area.height / 2}, name, label_style());
}

void image_frame::draw_outline() { canvas_.outline(layout_.plot_area, frame_colour, layout_.unit); }

}  // namespace tgmap::picture

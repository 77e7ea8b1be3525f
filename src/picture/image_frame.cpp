// SPDX-License-Identifier: Apache-2.0
#include "picture/image_frame.hpp"

#include <algorithm>
#include <cmath>

namespace tgmap::picture {

namespace {

constexpr double usual_width = 1200, usual_height = 720;                    // of an image
constexpr double least_height = 240, most_height = 860, least_width = 420;  // of a plot
constexpr double thinnest = 0.125;                                          // of the room: what is thinner is stretched

std::size_t pixels(double x) { return static_cast<std::size_t>(std::lround(x)); }

}  // namespace

image_layout lay_out(std::optional<image_size> wanted, std::optional<double> shape, const margins& around) {
  image_layout out;
  if (!wanted) {
    double width = usual_width - around.left - around.right, height = usual_height - around.top - around.bottom;
    if (shape) {
      height = std::clamp(width * *shape, least_height, most_height);
      width = std::clamp(height / *shape, least_width, width);
    }
    out.plot = {around.left, around.top, std::round(width), std::round(height)};
    out.image = {pixels(std::max(720.0, around.left + out.plot.width + around.right)),
                 pixels(around.top + out.plot.height + around.bottom)};
    return out;
  }

  const double width = static_cast<double>(wanted->width), height = static_cast<double>(wanted->height);
  out.image = *wanted;
  out.unit = std::clamp(std::sqrt(width * height / (usual_width * usual_height)), 0.75, 6.0);
  const double room_x = std::max(width - (around.left + around.right) * out.unit, 16.0);
  const double room_y = std::max(height - (around.top + around.bottom) * out.unit, 16.0);
  double plot_width = room_x, plot_height = room_y;
  if (shape) {
    plot_width = std::clamp(room_y / *shape, room_x * thinnest, room_x);
    plot_height = std::clamp(room_x * *shape, room_y * thinnest, room_y);
  }
  out.plot = {std::round(around.left * out.unit + (room_x - plot_width) / 2),
              std::round(around.top * out.unit + (room_y - plot_height) / 2), std::round(plot_width),
              std::round(plot_height)};
  return out;
}

std::size_t labels_left(const image_layout& in) noexcept {
  return static_cast<std::size_t>(std::clamp(in.plot.height / (44 * in.unit), 2.0, 12.0));
}

std::size_t labels_below(const image_layout& in) noexcept {
  return static_cast<std::size_t>(std::clamp(in.plot.width / (82 * in.unit), 2.0, 14.0));
}

std::string image_frame::fitted(const std::string& text, const text_style& style, double room) const {
  if (on_.width_of(text, style) <= room) return text;
  std::string out = text;
  while (!out.empty()) {
    do out.pop_back();
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xc0) == 0x80);
    if (!out.empty() && (static_cast<unsigned char>(out.back()) & 0x80) != 0) out.pop_back();  // its first byte
    if (on_.width_of(out + "…", style) <= room) break;
  }
  return out + "…";
}

void image_frame::words(const picture_words& say) {
  const double u = by_.unit, x = std::min(by_.plot.x, 92 * u), room = static_cast<double>(by_.image.width) - x - 16 * u;
  const text_style title{.size = 20 * u, .bold = true, .ink = {20, 20, 20}};
  const text_style details{.size = 13 * u, .ink = frame_ink};
  on_.text({x, by_.plot.y - 50 * u}, fitted(say.title, title, room), title);
  on_.text({x, by_.plot.y - 22 * u}, fitted(say.details, details, room), details);
}

void image_frame::below(const std::vector<mark>& marks, std::string_view name) {
  const double u = by_.unit, y = by_.plot.bottom();
  std::vector<mark> sorted = marks;
  std::sort(sorted.begin(), sorted.end(), [](const mark& a, const mark& b) { return a.place < b.place; });
  double used = -1e9;
  for (const mark& m : sorted) {
    const double x = by_.plot.x + m.place * by_.plot.width, half = on_.width_of(m.label, label_style()) / 2;
    if (x - half < used + 6 * u) continue;
    used = x + half;
    on_.line({x, y}, {x, y + 6 * u}, frame_ink, u);
    on_.text({x, y + 18 * u}, m.label, label_style(), align::middle);
  }
  on_.text({by_.plot.x + by_.plot.width / 2, y + 42 * u}, name, label_style(), align::middle);
}

void image_frame::left(const std::vector<mark>& marks, std::string_view name) {
  const double u = by_.unit, x = by_.plot.x;
  double widest = 0;
  for (const mark& m : marks) {
    const double y = by_.plot.y + m.place * by_.plot.height;
    on_.line({x - 6 * u, y}, {x, y}, frame_ink, u);
    on_.text({x - 10 * u, y}, m.label, label_style(), align::right);
    widest = std::max(widest, on_.width_of(m.label, label_style()));
  }
  on_.text_upwards({x - 26 * u - widest, by_.plot.y + by_.plot.height / 2}, name, label_style());
}

void image_frame::outline() { on_.outline(by_.plot, frame_ink, by_.unit); }

}  // namespace tgmap::picture

// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <new>
#include <numbers>

#include "picture/cairo_library.hpp"
#include "picture/canvas.hpp"

namespace tgmap::picture {

namespace {

const cairo_library& library() {
  const cairo_library* const found = cairo_library::get();
  if (found == nullptr) throw no_canvas("cairo, which draws images, is not installed", "install libcairo2");
  return *found;
}

std::uint32_t premultiplied(const pixel& p) {
  const auto part = [&](std::uint8_t x) { return (static_cast<std::uint32_t>(x) * p.opacity + 127) / 255; };
  return static_cast<std::uint32_t>(p.opacity) << 24 | part(p.ink.red) << 16 | part(p.ink.green) << 8 |
         part(p.ink.blue);
}

cairo_status_t append(void* to, const unsigned char* data, unsigned length) noexcept {
  try {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

}  // namespace

struct canvas::state {
  state(std::size_t width, std::size_t height)
      : cairo(library()),
        surface(cairo.image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height))),
        context(cairo.create(surface)) {
    ink({255, 255, 255});
    cairo.paint(context);
    cairo.set_line_join(context, CAIRO_LINE_JOIN_ROUND);
  }
  ~state() {
    cairo.destroy(context);
    cairo.surface_destroy(surface);
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  void ink(colour c, double opacity = 1) const {
    cairo.set_source_rgba(context, c.red / 255.0, c.green / 255.0, c.blue / 255.0, opacity);
  }
  void add(const box& b) const { cairo.rectangle(context, b.x, b.y, b.width, b.height); }
  void add(std::span<const point> points) const {
    for (std::size_t i = 0; i < points.size(); ++i)
      (i == 0 ? cairo.move_to : cairo.line_to)(context, points[i].x, points[i].y);
  }
  void stroke(colour c, double width) const {
    ink(c);
    cairo.set_line_width(context, width);
    cairo.stroke(context);
  }
  cairo_text_extents_t measure(const std::string& text, const text_style& style) const {
    cairo.select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo.set_font_size(context, style.size);
    cairo_text_extents_t out{};
    cairo.text_extents(context, text.c_str(), &out);
    return out;
  }
  /// Around the origin as it is.
  void show(const std::string& text, const text_style& style, align where) const {
    const double capital = -measure("H", style).y_bearing, width = measure(text, style).x_advance;
    const double shift = where == align::left ? 0 : where == align::middle ? width / 2 : width;
    ink(style.ink);
    cairo.move_to(context, -shift, capital / 2);
    cairo.show_text(context, text.c_str());
  }

  const cairo_library& cairo;
  cairo_surface_t* surface;
  cairo_t* context;
};

canvas::canvas(std::size_t width, std::size_t height) : state_(std::make_unique<state>(width, height)) {}
canvas::~canvas() = default;

void canvas::fill(box where, colour with) {
  state_->add(where);
  state_->ink(with);
  state_->cairo.fill(state_->context);
}

void canvas::outline(box where, colour with, double width) {
  state_->add(where);
  state_->stroke(with, width);
}

void canvas::hatch(box where, colour ground, colour lines) {
  constexpr double step = 8;
  fill(where, ground);
  state_->cairo.save(state_->context);
  state_->add(where);
  state_->cairo.clip(state_->context);
  for (double x = where.x - where.height; x < where.right(); x += step) {
    const point ends[] = {{x, where.bottom()}, {x + where.height, where.y}};
    state_->add(ends);
  }
  state_->stroke(lines, 1.5);
  state_->cairo.restore(state_->context);
}

void canvas::line(point from, point to, colour with, double width) {
  const point ends[] = {from, to};
  path(ends, with, width);
}

void canvas::path(std::span<const point> points, colour with, double width) {
  state_->add(points);
  state_->stroke(with, width);
}

void canvas::area(std::span<const point> points, colour with, double opacity) {
  state_->add(points);
  state_->cairo.close_path(state_->context);
  state_->ink(with, opacity);
  state_->cairo.fill(state_->context);
}

void canvas::image(box where, std::span<const pixel> pixels, std::size_t columns) {
  const cairo_library& cairo = state_->cairo;
  const std::size_t rows = pixels.size() / columns;
  const int stride = cairo.format_stride_for_width(CAIRO_FORMAT_ARGB32, static_cast<int>(columns));
  const std::size_t words = static_cast<std::size_t>(stride) / sizeof(std::uint32_t);
  std::vector<std::uint32_t> data(words * rows);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) data[r * words + c] = premultiplied(pixels[r * columns + c]);

  cairo_surface_t* const source =
      cairo.image_surface_create_for_data(reinterpret_cast<unsigned char*>(data.data()), CAIRO_FORMAT_ARGB32,
                                          static_cast<int>(columns), static_cast<int>(rows), stride);
  cairo.save(state_->context);
  state_->add(where);
  cairo.clip(state_->context);
  cairo.translate(state_->context, where.x, where.y);
  cairo.scale(state_->context, where.width / static_cast<double>(columns), where.height / static_cast<double>(rows));
  cairo.set_source_surface(state_->context, source, 0, 0);
  cairo.pattern_set_filter(cairo.get_source(state_->context), CAIRO_FILTER_NEAREST);
  cairo.paint(state_->context);
  cairo.restore(state_->context);
  cairo.surface_destroy(source);
}

double canvas::width_of(std::string_view what, const text_style& style) const {
  return state_->measure(std::string(what), style).x_advance;
}

void canvas::text(point at, std::string_view what, const text_style& style, align where) {
  state_->cairo.save(state_->context);
  state_->cairo.translate(state_->context, at.x, at.y);
  state_->show(std::string(what), style, where);
  state_->cairo.restore(state_->context);
}

void canvas::text_upwards(point at, std::string_view what, const text_style& style, align where) {
  state_->cairo.save(state_->context);
  state_->cairo.translate(state_->context, at.x, at.y);
  state_->cairo.rotate(state_->context, -std::numbers::pi / 2);
  state_->show(std::string(what), style, where);
  state_->cairo.restore(state_->context);
}

std::string canvas::png() const {
  std::string out;
  cairo_status_t status = state_->cairo.status(state_->context);  // of everything drawn
  if (status == CAIRO_STATUS_SUCCESS) status = state_->cairo.surface_write_to_png_stream(state_->surface, append, &out);
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status != CAIRO_STATUS_SUCCESS)
    throw no_canvas(std::string("cairo cannot draw this: ") + state_->cairo.status_to_string(status),
                    "choose another --size, or report this");
  return out;
}

std::string canvas_version() {
  const cairo_library* const found = cairo_library::get();
  return found == nullptr ? std::string() : found->version_string();
}

}  // namespace tgmap::picture

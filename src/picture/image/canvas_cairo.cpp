// SPDX-License-Identifier: Apache-2.0
#include <cairo.h>

#include <cmath>
#include <new>
#include <numbers>
#include <vector>

#include "picture/image/canvas.hpp"
#include "runtime/loaded_library.hpp"

namespace tgmap::picture {

namespace {

#define TGMAP_CAIRO_FUNCTIONS(F)         \
  F(cairo_version_string)                \
  F(cairo_status_to_string)              \
  F(cairo_image_surface_create)          \
  F(cairo_image_surface_create_for_data) \
  F(cairo_format_stride_for_width)       \
  F(cairo_surface_destroy)               \
  F(cairo_surface_status)                \
  F(cairo_surface_write_to_png_stream)   \
  F(cairo_create)                        \
  F(cairo_destroy)                       \
  F(cairo_status)                        \
  F(cairo_save)                          \
  F(cairo_restore)                       \
  F(cairo_translate)                     \
  F(cairo_scale)                         \
  F(cairo_rotate)                        \
  F(cairo_set_source_rgba)               \
  F(cairo_set_source_surface)            \
  F(cairo_get_source)                    \
  F(cairo_pattern_set_filter)            \
  F(cairo_rectangle)                     \
  F(cairo_clip)                          \
  F(cairo_move_to)                       \
  F(cairo_line_to)                       \
  F(cairo_close_path)                    \
  F(cairo_fill)                          \
  F(cairo_stroke)                        \
  F(cairo_paint)                         \
  F(cairo_set_line_width)                \
  F(cairo_set_line_join)                 \
  F(cairo_select_font_face)              \
  F(cairo_set_font_size)                 \
  F(cairo_text_extents)                  \
  F(cairo_show_text)

// Loaded when the first image is drawn. Linked, it would double the start time of the command.
TGMAP_LOADED_LIBRARY(cairo_library, "libcairo.so.2", TGMAP_CAIRO_FUNCTIONS);

/// Errors: canvas_error if cairo is not installed.
const cairo_library& find_library() {
  const cairo_library* const found = cairo_library::get();
  if (found == nullptr) throw canvas_error("cairo, which draws images, is not installed", "install libcairo2");
  return *found;
}

/// Returns a pixel in ARGB with premultiplied alpha.
std::uint32_t premultiplied(const pixel& p) {
  const auto part = [&](std::uint8_t x) { return (static_cast<std::uint32_t>(x) * p.opacity + 127) / 255; };
  return static_cast<std::uint32_t>(p.opacity) << 24 | part(p.rgb.red) << 16 | part(p.rgb.green) << 8 |
         part(p.rgb.blue);
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
      : library(find_library()),
        surface(
            library.cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height))),
        context(library.cairo_create(surface)) {
    set_colour({255, 255, 255});
    library.cairo_paint(context);
    library.cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
  }
  ~state() {
    library.cairo_destroy(context);
    library.cairo_surface_destroy(surface);
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  void set_colour(colour c, double opacity = 1) const {
    library.cairo_set_source_rgba(context, c.red / 255.0, c.green / 255.0, c.blue / 255.0, opacity);
  }
  void add(const box& b) const { library.cairo_rectangle(context, b.x, b.y, b.width, b.height); }
  void add(std::span<const point> points) const {
    for (std::size_t i = 0; i < points.size(); ++i)
      (i == 0 ? library.cairo_move_to : library.cairo_line_to)(context, points[i].x, points[i].y);
  }
  void stroke(colour c, double width) const {
    set_colour(c);
    library.cairo_set_line_width(context, width);
    library.cairo_stroke(context);
  }
  cairo_text_extents_t measure(const std::string& text, const text_style& style) const {
    library.cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                                   style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    library.cairo_set_font_size(context, style.size);
    cairo_text_extents_t out{};
    library.cairo_text_extents(context, text.c_str(), &out);
    return out;
  }
  /// Draws a text around the current origin.
  void show(const std::string& text, const text_style& style, align alignment) const {
    const double capital = -measure("H", style).y_bearing, width = measure(text, style).x_advance;
    const double shift = alignment == align::left ? 0 : alignment == align::middle ? width / 2 : width;
    set_colour(style.rgb);
    library.cairo_move_to(context, -shift, capital / 2);
    library.cairo_show_text(context, text.c_str());
  }

  const cairo_library& library;
  cairo_surface_t* surface;
  cairo_t* context;
};

canvas::canvas(std::size_t width, std::size_t height) : state_(std::make_unique<state>(width, height)) {}
canvas::~canvas() = default;

void canvas::fill(box area, colour c) {
  state_->add(area);
  state_->set_colour(c);
  state_->library.cairo_fill(state_->context);
}

void canvas::outline(box area, colour c, double width) {
  state_->add(area);
  state_->stroke(c, width);
}

void canvas::line(point from, point to, colour c, double width) {
  const point ends[] = {from, to};
  path(ends, c, width);
}

void canvas::path(std::span<const point> points, colour c, double width) {
  state_->add(points);
  state_->stroke(c, width);
}

void canvas::area(std::span<const point> points, colour c, double opacity) {
  state_->add(points);
  state_->library.cairo_close_path(state_->context);
  state_->set_colour(c, opacity);
  state_->library.cairo_fill(state_->context);
}

void canvas::image(box area, std::span<const pixel> pixels, std::size_t columns) {
  const cairo_library& library = state_->library;
  const std::size_t rows = pixels.size() / columns;
  const int stride = library.cairo_format_stride_for_width(CAIRO_FORMAT_ARGB32, static_cast<int>(columns));
  const std::size_t words = static_cast<std::size_t>(stride) / sizeof(std::uint32_t);
  std::vector<std::uint32_t> data(words * rows);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) data[r * words + c] = premultiplied(pixels[r * columns + c]);

  cairo_surface_t* const source =
      library.cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(data.data()), CAIRO_FORMAT_ARGB32,
                                                  static_cast<int>(columns), static_cast<int>(rows), stride);
  library.cairo_save(state_->context);
  state_->add(area);
  library.cairo_clip(state_->context);
  library.cairo_translate(state_->context, area.x, area.y);
  library.cairo_scale(state_->context, area.width / static_cast<double>(columns),
                      area.height / static_cast<double>(rows));
  library.cairo_set_source_surface(state_->context, source, 0, 0);
  library.cairo_pattern_set_filter(library.cairo_get_source(state_->context), CAIRO_FILTER_NEAREST);
  library.cairo_paint(state_->context);
  library.cairo_restore(state_->context);
  library.cairo_surface_destroy(source);
}

double canvas::width_of(std::string_view text, const text_style& style) const {
  return state_->measure(std::string(text), style).x_advance;
}

void canvas::text(point at, std::string_view text, const text_style& style, align alignment) {
  state_->library.cairo_save(state_->context);
  state_->library.cairo_translate(state_->context, at.x, at.y);
  state_->show(std::string(text), style, alignment);
  state_->library.cairo_restore(state_->context);
}

void canvas::text_upwards(point at, std::string_view text, const text_style& style, align alignment) {
  state_->library.cairo_save(state_->context);
  state_->library.cairo_translate(state_->context, at.x, at.y);
  state_->library.cairo_rotate(state_->context, -std::numbers::pi / 2);
  state_->show(std::string(text), style, alignment);
  state_->library.cairo_restore(state_->context);
}

std::string canvas::png() const {
  std::string out;
  cairo_status_t status = state_->library.cairo_status(state_->context);  // of everything drawn
  if (status == CAIRO_STATUS_SUCCESS)
    status = state_->library.cairo_surface_write_to_png_stream(state_->surface, append, &out);
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status != CAIRO_STATUS_SUCCESS)
    throw canvas_error(std::string("cairo cannot draw this: ") + state_->library.cairo_status_to_string(status),
                       "choose another --size, or report this");
  return out;
}

std::string canvas_version() {
  const cairo_library* const found = cairo_library::get();
  return found == nullptr ? std::string() : found->cairo_version_string();
}

}  // namespace tgmap::picture

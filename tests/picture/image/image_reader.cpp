// SPDX-License-Identifier: Apache-2.0
#include "image_reader.hpp"

#include <boost/test/unit_test.hpp>
#include <support/shared_data.hpp>

#include "picture/image/canvas.hpp"

#ifdef TGMAP_TEST_CAIRO
#include <dlfcn.h>

#include <algorithm>

#include <cairo.h>
#endif

namespace tgmap_test {

bool can_draw(std::string_view what) {
  if (!tgmap::picture::canvas_version().empty()) return true;
  say_skipped(what, "cairo missing");
  return false;
}

#ifdef TGMAP_TEST_CAIRO

namespace {

/// Loads a function that the command does not use itself.
template <class F>
F* load_function(const char* name) {
  static void* const library = ::dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<F*>(::dlsym(library, name));
}

cairo_status_t read_bytes(void* from, unsigned char* data, unsigned length) {
  auto& rest = *static_cast<std::string_view*>(from);
  if (rest.size() < length) return CAIRO_STATUS_READ_ERROR;
  std::copy_n(rest.begin(), length, data);
  rest.remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::optional<decoded_image> read_png(std::string_view png) {
  const auto read =
      load_function<decltype(cairo_image_surface_create_from_png_stream)>("cairo_image_surface_create_from_png_stream");
  const auto width = load_function<decltype(cairo_image_surface_get_width)>("cairo_image_surface_get_width");
  const auto height = load_function<decltype(cairo_image_surface_get_height)>("cairo_image_surface_get_height");
  const auto stride = load_function<decltype(cairo_image_surface_get_stride)>("cairo_image_surface_get_stride");
  const auto data = load_function<decltype(cairo_image_surface_get_data)>("cairo_image_surface_get_data");
  const auto status = load_function<decltype(cairo_surface_status)>("cairo_surface_status");
  const auto destroy = load_function<decltype(cairo_surface_destroy)>("cairo_surface_destroy");

  cairo_surface_t* const surface = read(read_bytes, &png);
  BOOST_TEST_REQUIRE(status(surface) == CAIRO_STATUS_SUCCESS);
  decoded_image out{static_cast<std::size_t>(width(surface)), static_cast<std::size_t>(height(surface)), {}};
  for (std::size_t y = 0; y < out.height; ++y)
    for (std::size_t x = 0; x < out.width; ++x) {
      const unsigned char* const p = data(surface) + y * stride(surface) + 4 * x;
      out.pixels.push_back({p[2], p[1], p[0]});
    }
  destroy(surface);
  return out;
}

#else

std::optional<decoded_image> read_png(std::string_view) { return std::nullopt; }

#endif

}  // namespace tgmap_test

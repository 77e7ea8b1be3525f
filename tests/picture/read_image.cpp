// SPDX-License-Identifier: Apache-2.0
#include "read_image.hpp"

#include <boost/test/unit_test.hpp>
#include <support/shared_data.hpp>

#include "picture/canvas.hpp"

#ifdef TGMAP_TEST_CAIRO
#include <dlfcn.h>

#include <algorithm>

#include "picture/cairo_library.hpp"
#endif

namespace tgmap_test {

bool can_draw(std::string_view what) {
  if (!tgmap::picture::canvas_version().empty()) return true;
  say_skipped(what, "cairo absent");
  return false;
}

#ifdef TGMAP_TEST_CAIRO

namespace {

/// A function that the command itself has no use for.
template <class F>
F* from_cairo(const char* name) {
  static void* const library = ::dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<F*>(::dlsym(library, name));
}

cairo_status_t take(void* from, unsigned char* data, unsigned length) {
  auto& left = *static_cast<std::string_view*>(from);
  if (left.size() < length) return CAIRO_STATUS_READ_ERROR;
  std::copy_n(left.begin(), length, data);
  left.remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

std::optional<read_image> image_from(std::string_view png) {
  const auto read =
      from_cairo<decltype(cairo_image_surface_create_from_png_stream)>("cairo_image_surface_create_from_png_stream");
  const auto width = from_cairo<decltype(cairo_image_surface_get_width)>("cairo_image_surface_get_width");
  const auto height = from_cairo<decltype(cairo_image_surface_get_height)>("cairo_image_surface_get_height");
  const auto stride = from_cairo<decltype(cairo_image_surface_get_stride)>("cairo_image_surface_get_stride");
  const auto data = from_cairo<decltype(cairo_image_surface_get_data)>("cairo_image_surface_get_data");
  const auto status = from_cairo<decltype(cairo_surface_status)>("cairo_surface_status");
  const auto destroy = from_cairo<decltype(cairo_surface_destroy)>("cairo_surface_destroy");

  cairo_surface_t* const surface = read(take, &png);
  BOOST_TEST_REQUIRE(status(surface) == CAIRO_STATUS_SUCCESS);
  read_image out{static_cast<std::size_t>(width(surface)), static_cast<std::size_t>(height(surface)), {}};
  for (std::size_t y = 0; y < out.height; ++y)
    for (std::size_t x = 0; x < out.width; ++x) {
      const unsigned char* const p = data(surface) + y * stride(surface) + 4 * x;
      out.pixels.push_back({p[2], p[1], p[0]});
    }
  destroy(surface);
  return out;
}

#else

std::optional<read_image> image_from(std::string_view) { return std::nullopt; }

#endif

}  // namespace tgmap_test

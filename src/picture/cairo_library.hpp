// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cairo.h>

namespace tgmap::picture {

/// cairo, loaded when an image is drawn first: linked, it would cost every run of the command as long again as the
/// command's own start. The members have the names and the types of cairo's functions.
struct cairo_library {
#define TGMAP_CAIRO_FUNCTIONS(F)   \
  F(version_string)                \
  F(status_to_string)              \
  F(image_surface_create)          \
  F(image_surface_create_for_data) \
  F(format_stride_for_width)       \
  F(surface_destroy)               \
  F(surface_status)                \
  F(surface_write_to_png_stream)   \
  F(create)                        \
  F(destroy)                       \
  F(status)                        \
  F(save)                          \
  F(restore)                       \
  F(translate)                     \
  F(scale)                         \
  F(rotate)                        \
  F(set_source_rgba)               \
  F(set_source_surface)            \
  F(get_source)                    \
  F(pattern_set_filter)            \
  F(rectangle)                     \
  F(clip)                          \
  F(move_to)                       \
  F(line_to)                       \
  F(close_path)                    \
  F(fill)                          \
  F(stroke)                        \
  F(paint)                         \
  F(set_line_width)                \
  F(set_line_join)                 \
  F(select_font_face)              \
  F(set_font_size)                 \
  F(text_extents)                  \
  F(show_text)
// NOLINTNEXTLINE(bugprone-macro-parentheses): the name of a member
#define TGMAP_CAIRO_MEMBER(name) decltype(&cairo_##name) name = nullptr;
  TGMAP_CAIRO_FUNCTIONS(TGMAP_CAIRO_MEMBER)
#undef TGMAP_CAIRO_MEMBER

  /// The library, loaded once; null where it cannot be.
  static const cairo_library* get() noexcept;
};

}  // namespace tgmap::picture

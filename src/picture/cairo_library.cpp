// SPDX-License-Identifier: Apache-2.0
#include "picture/cairo_library.hpp"

#include <optional>

#include "runtime/loaded_library.hpp"

namespace tgmap::picture {

namespace {

std::optional<cairo_library> load() noexcept {
  const runtime::shared_library from("libcairo.so.2");
  cairo_library out;
#define TGMAP_CAIRO_FIND(name) &&from.find("cairo_" #name, out.name)
  if (true TGMAP_CAIRO_FUNCTIONS(TGMAP_CAIRO_FIND)) return out;
#undef TGMAP_CAIRO_FIND
  return std::nullopt;
}

}  // namespace

const cairo_library* cairo_library::get() noexcept {
  static const std::optional<cairo_library> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace tgmap::picture

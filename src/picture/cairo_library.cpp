// SPDX-License-Identifier: Apache-2.0
#include "picture/cairo_library.hpp"

#include <dlfcn.h>

#include <optional>
#include <type_traits>

namespace tgmap::picture {

namespace {

std::optional<cairo_library> load() noexcept {
  void* const library = ::dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);  // stays until the process ends
  if (library == nullptr) return std::nullopt;
  cairo_library out;
  bool whole = true;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
    whole = whole && function != nullptr;
  };
#define TGMAP_CAIRO_FIND(name) find(out.name, "cairo_" #name);
  TGMAP_CAIRO_FUNCTIONS(TGMAP_CAIRO_FIND)
#undef TGMAP_CAIRO_FIND
  if (!whole) return std::nullopt;
  return out;
}

}  // namespace

const cairo_library* cairo_library::get() noexcept {
  static const std::optional<cairo_library> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace tgmap::picture

// SPDX-License-Identifier: Apache-2.0
// C libraries that are loaded when one of their functions is called for the first time. If they were linked, each start
// of a program would take longer, even if it uses none of them.
//
// A table names the functions:
//
//   #define TGMAP_ZSTD_FUNCTIONS(F) F(ZSTD_isError) F(ZSTD_versionString)
//   TGMAP_LOADED_LIBRARY(zstd_library, TGMAP_LOADS_ZSTD, TGMAP_ZSTD_FUNCTIONS);
//
// makes a struct with one pointer for each, of the function's own name and type, and zstd_library::get(). Where CMake
// found a static library, or was told to link (TGMAP_LOAD_LIBRARIES=OFF), TGMAP_LINKED_LIBRARY makes the same of the
// functions that are linked.
#pragma once

#include <dlfcn.h>

#include <optional>

namespace tgmap::runtime {

/// A `shared_library` is a shared library by its name, which the loader searches in the usual places. It stays loaded
/// until the process ends.
class shared_library {
 public:
  explicit shared_library(const char* name) noexcept : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

  /// Sets `to` to the symbol of that name. Returns false if there is none.
  template <class Symbol>
  bool find(const char* name, Symbol*& to) const noexcept {
    to = handle_ == nullptr ? nullptr : reinterpret_cast<Symbol*>(::dlsym(handle_, name));
    return to != nullptr;
  }

 private:
  void* handle_;
};

}  // namespace tgmap::runtime

// NOLINTBEGIN(bugprone-macro-parentheses): names of members
#define TGMAP_LIBRARY_MEMBER(name) decltype(&::name) name = nullptr;
#define TGMAP_LIBRARY_FIND(name) &&from.find(#name, out.name)
#define TGMAP_LIBRARY_LINKED(name) out.name = &::name;

/// get(): the functions of the shared library of that name, which is loaded once; null where it is missing, or lacks
/// one.
#define TGMAP_LOADED_LIBRARY(library, shared_name, FUNCTIONS)                                \
  struct library {                                                                           \
    FUNCTIONS(TGMAP_LIBRARY_MEMBER)                                                          \
    static const library* get() noexcept {                                                   \
      static const std::optional<library> loaded = []() noexcept -> std::optional<library> { \
        const ::tgmap::runtime::shared_library from(shared_name);                            \
        library out;                                                                         \
        if (true FUNCTIONS(TGMAP_LIBRARY_FIND)) return out;                                  \
        return std::nullopt;                                                                 \
      }();                                                                                   \
      return loaded ? &*loaded : nullptr;                                                    \
    }                                                                                        \
  }

/// get(): the functions as they are linked; never null.
#define TGMAP_LINKED_LIBRARY(library, FUNCTIONS)    \
  struct library {                                  \
    FUNCTIONS(TGMAP_LIBRARY_MEMBER)                 \
    static const library* get() noexcept {          \
      static const library linked = []() noexcept { \
        library out;                                \
        FUNCTIONS(TGMAP_LIBRARY_LINKED)             \
        return out;                                 \
      }();                                          \
      return &linked;                               \
    }                                               \
  }
// NOLINTEND(bugprone-macro-parentheses)

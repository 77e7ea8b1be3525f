// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Macros for visibility, lifetimes and assertions.

/// Marks what the shared library exports. Everything else of its own is hidden.
#if defined(TGMAP_STATIC)
#define TGMAP_API
#else
#define TGMAP_API __attribute__((visibility("default")))
#endif

/// Marks members whose result borrows from `*this`, so that clang warns about views of temporaries.
#if defined(__has_cpp_attribute) && __has_cpp_attribute(clang::lifetimebound)
#define TGMAP_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define TGMAP_LIFETIMEBOUND
#endif

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Prints the expression and its place to standard error and aborts.
[[noreturn]] TGMAP_API void assertion_failed(const char* expression, const char* file, int line) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

/// Aborts the program if the condition does not hold. Active in debug builds (without NDEBUG) and if the checks of the
/// standard library are on (_GLIBCXX_ASSERTIONS). Otherwise the condition is not evaluated.
#if !defined(NDEBUG) || defined(_GLIBCXX_ASSERTIONS)
#define TGMAP_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::tgmap::detail::assertion_failed(#condition, __FILE__, __LINE__))
#else
#define TGMAP_ASSERT(condition) static_cast<void>(0)
#endif

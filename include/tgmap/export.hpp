// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Visibility and lifetime annotations. Everything else in the library is hidden.

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

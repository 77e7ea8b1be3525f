// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// A `dependency` is a library that tgmap uses. If the version is empty, this build does not use it.
struct dependency {
  std::string_view name;      ///< "libcbor"
  std::string_view version;   ///< as found at run time if the dependency tells it, else at build time
  std::string_view origin;    ///< where the build found it: "system, pkg-config"
  std::string_view used_for;  ///< "checking CBOR"
};

/// A `build_info` describes the library and its dependencies. All text is static.
struct build_info {
  std::string_view version;                  ///< "0.7.0"
  std::string_view compiler;                 ///< "GNU 12.2.0"
  std::string_view build_type;               ///< "Release"
  std::string_view target;                   ///< "x86_64 Linux"
  std::span<const dependency> dependencies;  ///< those in use, and those that another build could use
};

/// Returns the description of this library. Allocates nothing.
/// Thread safety: any thread may call it.
TGMAP_API build_info get_build_info() noexcept;

}  // namespace v0
}  // namespace tgmap

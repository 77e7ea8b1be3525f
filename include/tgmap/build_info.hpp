// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// Something the library was built with, or, when the version is empty, could have been.
struct dependency {
  std::string_view name;      ///< "libcbor"
  std::string_view version;   ///< as found at run time where the dependency tells it, else at build time
  std::string_view origin;    ///< where the build found it: "system, pkg-config"
  std::string_view used_for;  ///< "checking CBOR"
};

/// What the library itself is and was built with. All text is static; no allocation, any thread.
struct build_info {
  std::string_view version;     ///< "0.7.0"
  std::string_view compiler;    ///< "GNU 12.2.0"
  std::string_view build_type;  ///< "Release"
  std::string_view target;      ///< "x86_64 Linux"
  std::span<const dependency> dependencies;
};

TGMAP_API build_info get_build_info() noexcept;

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#include <tgmap/build_info.hpp>
#include <tgmap/version.hpp>

#include <array>

#include "tgmap_build_info.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

#if defined(__x86_64__)
#define TGMAP_PROCESSOR "x86_64"
#elif defined(__aarch64__)
#define TGMAP_PROCESSOR "aarch64"
#else
#define TGMAP_PROCESSOR "other"
#endif

#if defined(__linux__)
#define TGMAP_SYSTEM "Linux"
#elif defined(__APPLE__)
#define TGMAP_SYSTEM "macOS"
#else
#define TGMAP_SYSTEM "POSIX"
#endif

constexpr std::array<dependency, 6> dependencies{{
    {"Boost", build::boost_version, build::boost_origin, "mapping (Interprocess), streams (Iostreams)"},
    {"libcbor", build::libcbor_version, build::libcbor_origin, "checking metadata"},
    {"xxHash", build::xxhash_version, build::xxhash_origin, "digests"},
    {"RE2", build::re2_version, build::re2_origin, "patterns in selections"},
    {"oneTBB", build::tbb_version, build::tbb_origin, "threads"},
    {"Highway", build::highway_version, build::highway_origin, "unpacking by vectors"},
}};

}  // namespace

build_info get_build_info() noexcept {
  return {.version = TGMAP_VERSION_STRING,
          .compiler = build::compiler,
          .build_type = build::type,
          .target = TGMAP_PROCESSOR " " TGMAP_SYSTEM,
          .dependencies = dependencies};
}

}  // namespace v0
}  // namespace tgmap

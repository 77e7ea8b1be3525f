// SPDX-License-Identifier: Apache-2.0
// ecCodes, which the bridge loads when it is needed first: for keys of GRIB fields, coordinates of some grids, and
// values that are packed in ways that only ecCodes decodes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {
namespace bridge {

/// An `eccodes_info` describes the ecCodes that was loaded.
struct eccodes_info {
  std::string version{};      ///< "2.28.0"
  std::string definitions{};  ///< folders of its definitions, which ECCODES_DEFINITION_PATH changes
};

/// Loads ecCodes if no call has done so before. Returns what was loaded, or nothing if ecCodes is missing.
/// Thread safety: any number of threads.
/// Errors: throws std::bad_alloc.
TGMAP_API std::optional<eccodes_info> find_eccodes();

/// Sets the shared library that is loaded as ecCodes, in place of the system's. Returns false if a call has looked for
/// ecCodes before; that choice then stays.
/// Thread safety: any number of threads.
/// Errors: throws std::bad_alloc.
TGMAP_API bool set_eccodes_library(const std::filesystem::path& file);

}  // namespace bridge
}  // namespace v0
}  // namespace tgmap

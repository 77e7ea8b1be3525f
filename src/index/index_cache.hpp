// SPDX-License-Identifier: Apache-2.0
// The indexes in the cache folder of the user (docs/index_format.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <tgmap/error.hpp>
#include <tgmap/options.hpp>
#include <vector>

#include "archive/scan/open_index.hpp"
#include "index_file/reader.hpp"
#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// An index that belongs to an archive, and the path of its file.
struct located_index {
  std::filesystem::path path{};
  fitting_index index{};
};

/// An `index_cache` finds indexes by what an archive contains. An archive that has grown has the indexes of when it was
/// shorter. All members may throw std::bad_alloc.
class index_cache {
 public:
  /// Takes `$XDG_CACHE_HOME/tgmap`, or `~/.cache/tgmap`. Programs with more rights than their user have no cache.
  index_cache();

  /// Finds the current index that covers the most, or else any that covers the most. Compares it with the archive, as
  /// open_fitting_index does. Returns nothing, and why the last one that was compared does not fit, if none does; no
  /// failure if there is none.
  located_index find(const io::source& archive, const open_options&, failure&) const;

  /// Returns the cache folder, which is made if it is missing. Errors: of the operating system, also if the user has
  /// none.
  std::filesystem::path make_folder(failure&) const;

  /// Returns the place of an index that covers `covered` bytes, those of a message at least. Makes its folder, in that
  /// of make_folder(). Errors: file_shrank, of the operating system.
  std::filesystem::path make_place(const io::source& archive, std::uint64_t covered, failure&) const;

  /// Removes the indexes of the archive but the one at `kept` and those that equal archives use, too. Ignores errors.
  void remove_others(const io::source& archive, const open_options&, const std::filesystem::path& kept) const;

 private:
  std::vector<std::filesystem::path> candidates(const io::source& archive, failure&) const;

  std::filesystem::path folder_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

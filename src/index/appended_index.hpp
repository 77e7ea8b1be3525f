// SPDX-License-Identifier: Apache-2.0
// The index beside an archive to which messages are appended.
#pragma once

#include <filesystem>
#include <memory>
#include <tgmap/error.hpp>

#include "index_file/reader.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// An `appended_index` extends the index beside an archive by what an appender writes, once, at the end: only the
/// appended messages are read. Until then readers find an index that is not current, and scan. All members may throw
/// std::bad_alloc.
class appended_index {
 public:
  appended_index() noexcept = default;

  /// Takes the index beside an archive if it is current. The caller has locked the archive, and has written nothing.
  explicit appended_index(std::filesystem::path archive);

  /// Returns whether there is an index to extend.
  explicit operator bool() const noexcept { return index_ != nullptr; }

  /// Extends the index to the end of the archive, and stamps it. There must be one. The caller still has the lock.
  /// Errors: those of write_index.
  failure extend();

 private:
  std::filesystem::path archive_{};
  std::shared_ptr<const index_file::reader> index_{};  ///< null: there is none, or it was not current
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

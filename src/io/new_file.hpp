// SPDX-License-Identifier: Apache-2.0
// Files that appear under their name as a whole. POSIX.
#pragma once

#include <filesystem>
#include <string>
#include <tgmap/error.hpp>

#include "io/file.hpp"

namespace tgmap::io {

/// A `new_file` is written without a name, and gets one when it is complete. So a reader sees the whole file, or the
/// one that had the name before. A file that gets no name is removed; on file systems without nameless files it has a
/// temporary name meanwhile, and stays if the process is killed.
/// All members may throw std::bad_alloc.
class new_file {
 public:
  new_file() noexcept = default;

  /// Creates a file in `folder`. The umask limits its permissions. Errors: of the operating system.
  new_file(const std::filesystem::path& folder, unsigned permissions, failure&);
  ~new_file();
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;

  /// Returns the descriptor, for writing and reading.
  int descriptor() const noexcept { return file_.descriptor(); }

  /// Gives the file its name and replaces the file that has it. `path` must be in the file system of the folder.
  /// Errors: of the operating system.
  failure publish(const std::filesystem::path& path);

 private:
  file file_{};
  std::string temporary_name_{};  ///< empty: none
};

}  // namespace tgmap::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace tgmap::cli {

/// Which file it is, whatever its names are. The number of a file that was removed is given to the next one; when it
/// was made tells those apart, where the file system knows it.
struct file_identity {
  file_identity() = default;
  explicit file_identity(const struct statx& of) noexcept;
  bool operator==(const file_identity&) const = default;

  std::uint64_t device = 0, number = 0;
  std::int64_t made_at = 0;  ///< in nanoseconds; 0: not known
};

/// What the system knows of an open file. False with errno set.
bool look_at(int descriptor, struct statx& into) noexcept;

/// A folder that holds outputs, kept open. Every call for an output or its temporary name goes through the descriptor,
/// so that nothing is read, written or removed in another folder that gets the same path later.
class output_folder {
 public:
  /// Opens `path`, which begins at `from`, or at the working folder. An empty path is that folder itself. Throws
  /// file_error that names `output`.
  output_folder(const std::filesystem::path& path, const output_folder* from, const std::string& output);
  ~output_folder();
  output_folder(const output_folder&) = delete;
  output_folder& operator=(const output_folder&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  const file_identity& identity() const noexcept { return identity_; }

  /// Reads what has a name in it; links are not followed. False with errno set.
  bool look(const std::string& name, struct statx& into) const noexcept;

  /// Whether everybody may put files into this folder, as into /tmp, and another user, not its owner, has put this one
  /// there. Linux by itself protects links, pipes and files only where fs.protected_* say so.
  bool planted_by_another(const struct statx& file) const noexcept;

  /// Puts the names in it on the disk, where the folder may be listed. Throws file_error that names `output`.
  void synchronise(const std::string& output) const;

 private:
  int descriptor_;
  file_identity identity_{};
  uid_t owner_ = 0;
  bool sticky_ = false;  ///< everybody may add names, and remove their own
};

}  // namespace tgmap::cli

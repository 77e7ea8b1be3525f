// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace tgmap::cli {

/// A `file_identity` identifies a file whatever its name is. Inode numbers of removed files are used again; the time
/// of creation distinguishes such files if the file system records it.
struct file_identity {
  file_identity() = default;
  explicit file_identity(const struct statx& of) noexcept;
  bool operator==(const file_identity&) const = default;

  std::uint64_t device = 0, number = 0;
  std::int64_t created_at = 0;  ///< in nanoseconds; 0 if unknown
};

/// Reads the status of an open file. Returns false and sets errno on failure.
bool read_status(int descriptor, struct statx& into) noexcept;

/// An `output_folder` is an open folder that holds outputs. All calls for an output or its temporary name use this
/// descriptor, so nothing is read, written or removed in another folder that gets the same path later.
class output_folder {
 public:
  /// Opens `path` relative to `from`, or to the working folder if `from` is null. An empty path is that folder itself.
  /// Errors: throws file_error that names `output`.
  output_folder(const std::filesystem::path& path, const output_folder* from, const std::string& output);
  ~output_folder();
  output_folder(const output_folder&) = delete;
  output_folder& operator=(const output_folder&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  const file_identity& identity() const noexcept { return identity_; }

  /// Reads the status of the file with that name, without following links. Returns false and sets errno on failure.
  bool read_status(const std::string& name, struct statx& into) const noexcept;

  /// Returns true if everybody may create files in this folder, as in /tmp, and a user other than its owner and this
  /// process created `file`. Linux only protects such links, pipes and files if fs.protected_* is set.
  bool is_foreign(const struct statx& file) const noexcept;

  /// Flushes the folder's names to the disk if it may be listed. Errors: throws file_error that names `output`.
  void sync(const std::string& output) const;

 private:
  int descriptor_;
  file_identity identity_{};
  uid_t owner_ = 0;
  bool is_shared_ = false;  ///< everybody may add names, and remove only their own
};

/// Returns true if the name of an output is that of a folder: it ends with "/", or the folder exists.
bool names_folder(const std::string& output);

/// Makes the missing folders on the path of a file. Called for outputs with keys in brackets and for outputs that are
/// folders. Errors: throws file_error.
void make_parent_folders(const std::string& file);

/// Returns true if make_parent_folders would make a folder. Errors: throws file_error if it could not.
bool needs_parent_folders(const std::string& file);

/// Throws cli_error if the folder of an output does not exist, and for a name that ends with "/". `takes_folder`: the
/// verb makes a folder with such a name.
void refuse_missing_folder(const std::string& output, bool takes_folder);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/output/output_folder.hpp"

namespace tgmap::cli {

/// An `output_location` is the file, device, pipe or descriptor that the name of an output leads to.
struct output_location {
  std::filesystem::path path;                     ///< for messages; links are resolved
  std::shared_ptr<const output_folder> folder{};  ///< holds the file; null for an inherited descriptor
  std::string name{};                             ///< in `folder`; never a link, even if the file does not exist yet
  int inherited_descriptor = -1;                  ///< such as standard output; -1 otherwise
  bool exists = false;
  bool regular = true;  ///< false for devices and pipes, which are written in place

  // Set for an existing file:
  file_identity identity{};
  mode_t mode = 0;
  uid_t user = 0;
  gid_t group = 0;

  /// Follows all links of `name`. "-" and "/dev/stdout" are standard output. Errors: throws file_error for a folder, a
  /// loop of links or a path that does not exist; cli_error if another user put a link or the file into a folder that
  /// everybody may write to.
  static output_location resolve(const std::filesystem::path& name);
};

/// Throws what `resolve` throws for links of another user. Ignores all other problems.
void refuse_foreign_links(const std::filesystem::path& name);

/// Returns true for "-", "/dev/stdout" and their aliases, and for links to them.
bool is_standard_output(std::string_view name);

/// Returns the descriptor if `name` is that of an inherited one, such as standard output. No file is created for
/// such a name.
std::optional<int> named_descriptor(std::string_view name);

}  // namespace tgmap::cli

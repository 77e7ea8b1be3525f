// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/outputs/output_folder.hpp"

namespace tgmap::cli {

/// What a name stands for as an output.
struct output_place {
  std::filesystem::path path;                     ///< for people; links followed to their end
  std::shared_ptr<const output_folder> folder{};  ///< in which it is; none where it is inherited
  std::string name{};                             ///< there; never a link, also where nothing is there yet
  int inherited = -1;  ///< standard output and its like: a descriptor that the process was given
  bool exists = false;
  bool regular = true;       ///< else a device or a pipe, which is written as it is
  file_identity identity{};  ///< of what exists, as all that follows
  mode_t mode = 0;
  uid_t user = 0;
  gid_t group = 0;

  /// "-" is standard output, as "/dev/stdout" is. Throws file_error: a folder, a loop of links, no way there;
  /// cli_error: in a folder that everybody may write to, another user has put a link on the way or a file at the end.
  static output_place find(const std::filesystem::path& name);
};

/// Throws what `find` throws where another user has put a link on the way to that name; all else is no problem here.
void refuse_planted_links(const std::filesystem::path& name);

/// "-", "/dev/stdout" and the like, and links to them.
bool names_standard_output(std::string_view name);

/// The descriptor that such a name stands for, standard output or another one: no file of that name is made.
std::optional<int> named_descriptor(std::string_view name);

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
// Where outputs lead, and the folders that hold them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "edit/output/write_error.hpp"

namespace tgmap::edit {

/// Returns the place of an output; "-" is standard output. Errors: as throw_if.
output_location locate_output(const std::filesystem::path& name);

/// Throws write_error if there is a failure.
void throw_if(const failure&, const output_location&, const std::string& name);

/// Returns the name under which an output_set opens a path of a program: "-" is a file there.
inline std::string output_name(const std::filesystem::path& path) { return path == "-" ? "./-" : path.string(); }

/// Throws tgmap::error for a failure. Its text names the file, unless that is empty.
void throw_naming(const failure&, const std::filesystem::path& file);

/// Throws what locate_output throws for links of another user. Ignores all other problems.
void refuse_foreign_links(const std::filesystem::path& name);

/// Returns true for "-", "/dev/stdout" and their aliases, and for links to them.
bool is_standard_output(std::string_view name);

/// Returns the descriptor if `name` is that of an inherited one, such as standard output. No file is created for
/// such a name.
std::optional<int> named_descriptor(std::string_view name);

/// An `overwritten_file` is the file that an output would overwrite, if there is one.
class overwritten_file {
 public:
  /// Looks for the file. With `in_place`, only inherited descriptors that do not append overwrite one (`- 1<>x.tgm`):
  /// other outputs are temporary files first.
  overwritten_file(const std::string& output, bool in_place);

  /// Returns true if it is the regular file with that name, or standard input for "-".
  bool is(const std::string& input) const;

 private:
  std::optional<std::pair<std::uint64_t, std::uint64_t>> identity_{};  ///< device and number
};

/// Returns true if the name of an output is that of a folder: it ends with "/", or the folder exists.
bool names_folder(const std::string& output);

/// Makes the missing folders on the path of a file. Called for outputs with keys in brackets and for outputs that are
/// folders. Errors: throws write_error.
void make_parent_folders(const std::string& file);

/// Returns true if make_parent_folders would make a folder. Errors: throws write_error if it could not.
bool needs_parent_folders(const std::string& file);

/// Throws write_error if the folder of an output does not exist, and for a name that ends with "/". `makes_folders`:
/// as in output_hooks.
void refuse_missing_folder(const std::string& output, bool makes_folders);

}  // namespace tgmap::edit

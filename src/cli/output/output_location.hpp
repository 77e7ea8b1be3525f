// SPDX-License-Identifier: Apache-2.0
// Where outputs lead, with the exceptions of the command.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/detail/output_file.hpp>

namespace tgmap::cli {

using detail::output_file;
using detail::output_folder;
using detail::output_location;

/// Returns the place of an output; "-" is standard output. Errors: as throw_if.
output_location locate_output(const std::filesystem::path& name);

/// Throws what went wrong with an output. Errors: closed_pipe; cli_error if another file took the name, another user
/// put a file or link there, or the folder cannot be written; otherwise file_error.
void throw_if(const failure&, const output_location&, const std::string& name);

/// Throws what locate_output throws for links of another user. Ignores all other problems.
void refuse_foreign_links(const std::filesystem::path& name);

/// Returns true for "-", "/dev/stdout" and their aliases, and for links to them.
bool is_standard_output(std::string_view name);

/// Returns the descriptor if `name` is that of an inherited one, such as standard output. No file is created for
/// such a name.
std::optional<int> named_descriptor(std::string_view name);

}  // namespace tgmap::cli

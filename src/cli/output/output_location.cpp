// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_location.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "cli/app/cli_error.hpp"
#include "cli/app/output.hpp"

namespace tgmap::cli {

namespace {

/// Returns the path that leads to a descriptor if the name is that of standard output.
std::filesystem::path path_of(const std::filesystem::path& name) { return name == "-" ? "/dev/stdout" : name; }

[[noreturn]] void throw_foreign(const output_location& where, const std::string& name) {
  const bool is_link = S_ISLNK(where.status.mode);
  const std::string which =
      where.path == name ? "" : fmt::format("its path leads over '{}', which ", where.path.string());
  throw cli_error(fmt::format("{}is a {} of another user in a folder that everybody may write to", which,
                              is_link ? "link" : "file"),
                  is_link ? "name the file that it leads to, or a file in a folder of your own"
                          : "choose another name, or a folder of your own",
                  name);
}

[[noreturn]] void throw_changed(const output_location& where, const std::string& name) {
  throw cli_error(
      where.in_place() ? "another file took this name meanwhile" : "its temporary file was removed or replaced",
      where.in_place() ? "run the command again when nobody else changes the folder"
                       : "run the command again when nobody else changes the folder, or use another folder",
      name);
}

}  // namespace

void throw_if(const failure& why, const output_location& where, const std::string& name) {
  if (!why) return;
  if (why.code == errc::foreign_file) throw_foreign(where, name);
  if (why.code == errc::output_changed) throw_changed(where, name);
  if (why.code.category() != std::system_category()) throw error(why);
  if (why.code.value() == EPIPE && where.inherited_descriptor == STDOUT_FILENO) throw closed_pipe{};
  if (why.argument == nullptr) throw file_error(why.code.value(), name);
  const auto folder = where.path.parent_path();
  const failure of_folder{.code = why.code};
  throw cli_error(
      fmt::format("its folder '{}' cannot be written: {}", folder.empty() ? "." : folder.string(), why.code.message()),
      next_step(of_folder, name), name);
}

output_location locate_output(const std::filesystem::path& name) {
  failure why;
  output_location out = output_location::resolve(path_of(name), why);
  throw_if(why, out, name.string());
  if (out.inherited_descriptor >= 0) out.path = name;
  return out;
}

std::optional<int> named_descriptor(std::string_view name) { return output_location::descriptor_of(path_of(name)); }

bool is_standard_output(std::string_view name) { return named_descriptor(name) == STDOUT_FILENO; }

void refuse_foreign_links(const std::filesystem::path& name) {
  failure why;
  const output_location found = output_location::resolve(path_of(name), why);
  if (why.code == errc::foreign_file && S_ISLNK(found.status.mode)) throw_foreign(found, name.string());
}

}  // namespace tgmap::cli

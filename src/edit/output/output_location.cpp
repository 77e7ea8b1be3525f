// SPDX-License-Identifier: Apache-2.0
#include "edit/output/output_location.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tgmap::edit {

namespace {

/// Returns the path that leads to a descriptor if the name is that of standard output.
std::filesystem::path path_of(const std::filesystem::path& name) { return name == "-" ? "/dev/stdout" : name; }

}  // namespace

void throw_if(const failure& why, const output_location& where, const std::string& name) {
  if (why) throw write_error({.why = why, .name = name, .where = where});
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

void throw_naming(const failure& why, const std::filesystem::path& file) {
  if (why && !file.empty()) throw error(why, "cannot write '" + file.string() + "'");
  detail::raise_if(why);
}

void refuse_foreign_links(const std::filesystem::path& name) {
  failure why;
  const output_location found = output_location::resolve(path_of(name), why);
  if (why.code == errc::foreign_file && S_ISLNK(found.status.mode)) throw_if(why, found, name.string());
}

overwritten_file::overwritten_file(const std::string& output, bool in_place) {
  struct stat found = {};
  if (const std::optional<int> descriptor = named_descriptor(output)) {
    const int flags = ::fcntl(*descriptor, F_GETFL);
    if (flags < 0 || (flags & O_APPEND) != 0 || (flags & O_ACCMODE) == O_RDONLY || ::fstat(*descriptor, &found) != 0)
      return;
  } else if (in_place || ::stat(output.c_str(), &found) != 0) {
    return;
  }
  identity_.emplace(found.st_dev, found.st_ino);
}

bool overwritten_file::is(const std::string& input) const {
  struct stat found = {};
  if (!identity_ || (input == "-" ? ::fstat(STDIN_FILENO, &found) : ::stat(input.c_str(), &found)) != 0) return false;
  return S_ISREG(found.st_mode) && identity_ == std::pair<std::uint64_t, std::uint64_t>(found.st_dev, found.st_ino);
}

bool names_folder(const std::string& output) {
  std::error_code ignored;
  return output.ends_with('/') || (output != "-" && std::filesystem::is_directory(output, ignored));
}

void make_parent_folders(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  std::error_code problem;
  if (!folder.empty()) std::filesystem::create_directories(folder, problem);
  if (problem) throw write_error({.why = system_failure(problem.value()), .name = folder.string()});
}

bool needs_parent_folders(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  if (folder.empty() || ::access(folder.c_str(), F_OK) == 0) return false;
  auto existing = folder;
  while (!existing.empty() && existing.has_relative_path() && ::access(existing.c_str(), F_OK) != 0 && errno == ENOENT)
    existing = existing.parent_path();
  if (::access(existing.empty() ? "." : existing.c_str(), W_OK | X_OK) != 0)
    throw write_error({.why = system_failure(errno), .name = folder.string()});
  return true;
}

void refuse_missing_folder(const std::string& output, bool makes_folders) {
  if (output.ends_with('/') && !makes_folders)
    throw write_error({.what = output_fault::kind::folder_name, .why = system_failure(EISDIR), .name = output});
  const std::string folder = std::filesystem::path(output).parent_path().string();
  if (folder.empty() || ::access(folder.c_str(), F_OK) == 0 || errno != ENOENT) return;
  throw write_error({.what = output_fault::kind::no_folder,
                     .why = system_failure(ENOENT),
                     .name = output,
                     .other = folder,
                     .makes_folders = makes_folders});
}

}  // namespace tgmap::edit

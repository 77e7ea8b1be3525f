// SPDX-License-Identifier: Apache-2.0
// What is at the place of an output.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "cli/complaint.hpp"
#include "cli/outputs/output_file.hpp"

namespace tgmap::cli {

namespace {

constexpr int most_links = 40;  // as Linux follows

/// The descriptor that "/dev/stdout" and "/dev/fd/3" name. As files they would be opened anew, from their beginning.
std::optional<int> inherited_descriptor(std::string_view name) {
  if (name == "-" || name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    const std::string_view digits = name.substr(folder.size());
    int number = -1;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (problem == std::errc{} && end == digits.data() + digits.size()) return number;
  }
  return std::nullopt;
}

/// Where links lead: to a descriptor, or to a path that is no link.
struct link_end {
  std::filesystem::path path;
  std::optional<int> descriptor{};
  int problem = 0;  ///< of the system; the rest is not known then
};

link_end followed(std::filesystem::path path) {
  for (int links = 0;; ++links) {
    struct stat here {};
    if (links == 0 || path != "-")  // which is a file where a link names it
      if (const auto given = inherited_descriptor(path.native())) return {path, given};
    if (::lstat(path.c_str(), &here) != 0) return {path, {}, errno == ENOENT ? 0 : errno};
    if (!S_ISLNK(here.st_mode)) return {path};
    if (links == most_links) return {path, {}, ELOOP};
    std::error_code problem;
    path = path.parent_path() / std::filesystem::read_symlink(path, problem);
    if (problem) return {path, {}, problem.value()};
  }
}

}  // namespace

std::optional<int> named_descriptor(std::string_view name) {
  const link_end end = followed(name);
  return end.problem == 0 ? end.descriptor : std::nullopt;
}

bool names_standard_output(std::string_view name) { return named_descriptor(name) == STDOUT_FILENO; }

output_place output_place::find(const std::filesystem::path& name) {
  const link_end end = followed(name);
  if (end.problem != 0) throw file_error(end.problem, name.string());
  output_place out{.path = name};
  struct stat there {};
  if (end.descriptor) {
    if (::fstat(*end.descriptor, &there) != 0) throw file_error(errno, name.string());
    out.inherited = *end.descriptor;
    out.exists = true;
    return out;
  }
  out.path = end.path;
  if (::stat(out.path.c_str(), &there) != 0) {
    if (errno != ENOENT) throw file_error(errno, name.string());
    return out;
  }
  if (S_ISDIR(there.st_mode)) throw file_error(EISDIR, name.string());
  if (::access(out.path.c_str(), W_OK) != 0) throw file_error(errno, name.string());  // who protected it meant it
  out.exists = true;
  out.regular = S_ISREG(there.st_mode);
  out.mode = there.st_mode & 07777;
  out.user = there.st_uid;
  out.group = there.st_gid;
  return out;
}

}  // namespace tgmap::cli

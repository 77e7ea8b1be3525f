// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/output_place.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>

#include "cli/app/cli_error.hpp"

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

/// Where links lead: to a descriptor, or to a name in a folder that is no link.
struct link_end {
  std::filesystem::path path;
  std::shared_ptr<const output_folder> folder{};
  std::string name{};
  std::optional<int> descriptor{};
  bool exists = false;
  struct statx there {};
};

std::filesystem::path target_of(const output_folder& in, const std::string& link, const std::string& output) {
  std::array<char, PATH_MAX> out{};
  const ssize_t size = ::readlinkat(in.descriptor(), link.c_str(), out.data(), out.size());
  if (size < 0) throw file_error(errno, output);
  if (static_cast<std::size_t>(size) == out.size()) throw file_error(ENAMETOOLONG, output);
  return std::string(out.data(), static_cast<std::size_t>(size));
}

/// Throws where another user may have put it there to have somebody else's data, or to have it written elsewhere.
void refuse_planted(const output_folder& folder, const struct statx& what, const std::filesystem::path& path,
                    const std::string& output) {
  if (!folder.planted_by_another(what)) return;
  const bool link = S_ISLNK(what.stx_mode);
  const std::string which = path == output ? "" : fmt::format("'{}' on its way ", path.string());
  throw cli_error(
      fmt::format("{}is a {} of another user, in a folder that everybody may write to", which, link ? "link" : "file"),
      link ? "name the file that it leads to, or one in a folder of yours"
           : "choose another name, or a folder of yours",
      output);
}

/// Each link is read in the folder in which it was found, whatever becomes of the path to that. Throws file_error;
/// cli_error.
link_end followed(const std::filesystem::path& name) {
  link_end out{.path = name};
  std::filesystem::path rest = name;  // from the folder of the last link
  for (int links = 0;; ++links) {
    if (links == 0 || out.path != "-")  // which is a file where a link names it
      if ((out.descriptor = inherited_descriptor(out.path.native()))) return out;
    if (rest.empty()) throw file_error(ENOENT, name.string());
    out.folder = std::make_shared<const output_folder>(rest.parent_path(), out.folder.get(), name.string());
    out.name = rest.filename().string();
    if (out.name.empty()) throw file_error(EISDIR, name.string());
    out.exists = out.folder->look(out.name, out.there);
    if (!out.exists && errno != ENOENT) throw file_error(errno, name.string());
    if (!out.exists || !S_ISLNK(out.there.stx_mode)) return out;
    refuse_planted(*out.folder, out.there, out.path, name.string());
    if (links == most_links) throw file_error(ELOOP, name.string());
    rest = target_of(*out.folder, out.name, name.string());
    out.path = out.path.parent_path() / rest;
  }
}

}  // namespace

std::optional<int> named_descriptor(std::string_view name) try {
  return followed(name).descriptor;
} catch (const file_error&) {
  return std::nullopt;
} catch (const cli_error&) {
  return std::nullopt;
}

bool names_standard_output(std::string_view name) { return named_descriptor(name) == STDOUT_FILENO; }

void refuse_planted_links(const std::filesystem::path& name) try {
  followed(name);
} catch (const file_error&) {  // told by who opens it
}

output_place output_place::find(const std::filesystem::path& name) {
  link_end end = followed(name);
  output_place out{.path = name};
  if (end.descriptor) {
    struct stat given {};
    if (::fstat(*end.descriptor, &given) != 0) throw file_error(errno, name.string());
    out.inherited = *end.descriptor;
    out.exists = true;
    return out;
  }
  out.path = std::move(end.path);
  out.folder = std::move(end.folder);
  out.name = std::move(end.name);
  if (!end.exists) return out;
  if (S_ISDIR(end.there.stx_mode)) throw file_error(EISDIR, name.string());
  refuse_planted(*out.folder, end.there, out.path, name.string());
  if (::faccessat(out.folder->descriptor(), out.name.c_str(), W_OK, 0) != 0)
    throw file_error(errno, name.string());  // who protected it meant it
  out.exists = true;
  out.regular = S_ISREG(end.there.stx_mode);
  out.identity = file_identity(end.there);
  out.mode = end.there.stx_mode & 07777;
  out.user = end.there.stx_uid;
  out.group = end.there.stx_gid;
  return out;
}

}  // namespace tgmap::cli

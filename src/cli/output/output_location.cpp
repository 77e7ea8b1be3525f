// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_location.hpp"

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

constexpr int max_links = 40;  // the limit of Linux

/// Returns the descriptor of names such as "/dev/stdout" and "/dev/fd/3". Opening such a name would write to the
/// beginning of the file again.
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

/// The end of a chain of links: a descriptor, or a name in a folder that is not a link.
struct resolved_link {
  std::filesystem::path path;
  std::shared_ptr<const output_folder> folder{};
  std::string name{};
  std::optional<int> descriptor{};
  bool exists = false;
  struct statx status {};
};

std::filesystem::path target_of(const output_folder& in, const std::string& link, const std::string& output) {
  std::array<char, PATH_MAX> out{};
  const ssize_t size = ::readlinkat(in.descriptor(), link.c_str(), out.data(), out.size());
  if (size < 0) throw file_error(errno, output);
  if (static_cast<std::size_t>(size) == out.size()) throw file_error(ENAMETOOLONG, output);
  return std::string(out.data(), static_cast<std::size_t>(size));
}

/// Throws cli_error if another user may have put the file there to read our data, or to redirect it.
void refuse_foreign(const output_folder& folder, const struct statx& status, const std::filesystem::path& path,
                    const std::string& output) {
  if (!folder.is_foreign(status)) return;
  const bool is_link = S_ISLNK(status.stx_mode);
  const std::string which = path == output ? "" : fmt::format("its path leads over '{}', which ", path.string());
  throw cli_error(fmt::format("{}is a {} of another user in a folder that everybody may write to", which,
                              is_link ? "link" : "file"),
                  is_link ? "name the file that it leads to, or a file in a folder of your own"
                          : "choose another name, or a folder of your own",
                  output);
}

/// Follows all links of `name`. Each link is read through the descriptor of its folder, so renamed folders do no harm.
/// Errors: throws file_error, cli_error.
resolved_link follow_links(const std::filesystem::path& name) {
  resolved_link out{.path = name};
  std::filesystem::path rest = name;  // relative to the folder of the last link
  for (int links = 0;; ++links) {
    if (links == 0 || out.path != "-")  // the target of a link may be a file called "-"
      if ((out.descriptor = inherited_descriptor(out.path.native()))) return out;
    if (rest.empty()) throw file_error(ENOENT, name.string());
    out.folder = std::make_shared<const output_folder>(rest.parent_path(), out.folder.get(), name.string());
    out.name = rest.filename().string();
    if (out.name.empty()) throw file_error(EISDIR, name.string());
    out.exists = out.folder->read_status(out.name, out.status);
    if (!out.exists && errno != ENOENT) throw file_error(errno, name.string());
    if (!out.exists || !S_ISLNK(out.status.stx_mode)) return out;
    refuse_foreign(*out.folder, out.status, out.path, name.string());
    if (links == max_links) throw file_error(ELOOP, name.string());
    rest = target_of(*out.folder, out.name, name.string());
    out.path = out.path.parent_path() / rest;
  }
}

}  // namespace

std::optional<int> named_descriptor(std::string_view name) try {
  return follow_links(name).descriptor;
} catch (const file_error&) {
  return std::nullopt;
} catch (const cli_error&) {
  return std::nullopt;
}

bool is_standard_output(std::string_view name) { return named_descriptor(name) == STDOUT_FILENO; }

void refuse_foreign_links(const std::filesystem::path& name) try {
  follow_links(name);
} catch (const file_error&) {  // reported when the file is opened
}

output_location output_location::resolve(const std::filesystem::path& name) {
  resolved_link end = follow_links(name);
  output_location out{.path = name};
  if (end.descriptor) {
    struct stat status {};
    if (::fstat(*end.descriptor, &status) != 0) throw file_error(errno, name.string());
    out.inherited_descriptor = *end.descriptor;
    out.exists = true;
    return out;
  }
  out.path = std::move(end.path);
  out.folder = std::move(end.folder);
  out.name = std::move(end.name);
  if (!end.exists) return out;
  if (S_ISDIR(end.status.stx_mode)) throw file_error(EISDIR, name.string());
  refuse_foreign(*out.folder, end.status, out.path, name.string());
  if (::faccessat(out.folder->descriptor(), out.name.c_str(), W_OK, 0) != 0)
    throw file_error(errno, name.string());  // a read-only file is not replaced
  out.exists = true;
  out.regular = S_ISREG(end.status.stx_mode);
  out.identity = file_identity(end.status);
  out.mode = end.status.stx_mode & 07777;
  out.user = end.status.stx_uid;
  out.group = end.status.stx_gid;
  return out;
}

}  // namespace tgmap::cli

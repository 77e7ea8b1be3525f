// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <system_error>
#include <tgmap/detail/output_file.hpp>
#include <utility>

#include "io/file.hpp"
#include "io/file_status.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

constexpr int max_links = 40;  // the limit of Linux

failure of_system(std::errc code) noexcept { return {.code = {static_cast<int>(code), std::system_category()}}; }

/// Returns the descriptor of names such as "/dev/stdout" and "/dev/fd/3". Opening such a name would write to the
/// beginning of the file again.
std::optional<int> inherited_descriptor(std::string_view name) {
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    const std::string_view digits = name.substr(folder.size());
    int number = -1;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (problem == std::errc{} && end == digits.data() + digits.size() && number >= 0) return number;
  }
  return std::nullopt;
}

/// Takes the last part of a path, relative to an open folder, and opens the folder that holds it.
failure enter(const std::filesystem::path& path, output_location& out) {
  if (path.empty()) return of_system(std::errc::no_such_file_or_directory);
  failure why;
  out.folder = std::make_shared<const output_folder>(path.parent_path(), out.folder.get(), why);
  out.name = path.filename().string();
  if (why) return why;
  if (out.name.empty()) return of_system(std::errc::is_a_directory);
  out.exists = out.folder->read_status(out.name, out.status);
  return out.exists || errno == ENOENT ? failure() : io::system_failure();
}

std::filesystem::path target_of(const output_location& link, failure& why) {
  std::array<char, PATH_MAX> out{};
  const ::ssize_t size = ::readlinkat(link.folder->descriptor(), link.name.c_str(), out.data(), out.size());
  if (size < 0) why = io::system_failure();
  if (size == static_cast<::ssize_t>(out.size())) why = of_system(std::errc::filename_too_long);
  return why ? std::string() : std::string(out.data(), static_cast<std::size_t>(size));
}

/// Fails if another user may have put the file there to read our data, or to redirect it.
failure refuse_foreign(const output_location& file) noexcept {
  if (!file.folder->is_foreign(file.status)) return {};
  return {.code = errc::foreign_file, .found = file.status.user};
}

/// Follows all links of a path: to a descriptor, or a name that is not a link. Each link is read through the descriptor
/// of its folder, so renamed folders do no harm.
output_location follow_links(const std::filesystem::path& path, failure& why) {
  output_location out{.path = path};
  std::filesystem::path rest = path;  // relative to the folder of the last link
  for (int links = 0;; ++links) {
    if (const auto descriptor = inherited_descriptor(out.path.native())) {
      out.inherited_descriptor = *descriptor;
      return out;
    }
    why = enter(rest, out);
    if (why || !out.exists || !S_ISLNK(out.status.mode)) return out;
    why = refuse_foreign(out);
    if (!why && links == max_links) why = of_system(std::errc::too_many_symbolic_link_levels);
    if (!why) rest = target_of(out, why);
    if (why) return out;
    out.path = out.path.parent_path() / rest;
  }
}

/// Takes what the status says of a file that exists.
failure examine(output_location& file) {
  if (!file.exists) return {};
  if (S_ISDIR(file.status.mode)) return of_system(std::errc::is_a_directory);
  if (failure why = refuse_foreign(file)) return why;
  // A read-only file is not replaced.
  if (::faccessat(file.folder->descriptor(), file.name.c_str(), W_OK, 0) != 0) return io::system_failure();
  file.regular = S_ISREG(file.status.mode);
  if (!file.regular) return {};
  if (file.status.is_mounted) {
    failure why = of_system(std::errc::device_or_resource_busy);
    why.argument = "the file, which is mounted by itself";
    return why;
  }
  if (!file.folder->forbids_replacing(file.status)) return {};
  failure why = of_system(std::errc::operation_not_permitted);
  why.argument = "the folder of the file";
  return why;
}

}  // namespace

output_location output_location::resolve(const std::filesystem::path& path, failure& why) {
  why = {};
  output_location out = follow_links(path, why);
  if (why) return out;
  if (out.inherited_descriptor < 0) {
    why = examine(out);
    return out;
  }
  out.folder.reset();
  out.path = path;
  out.exists = true;
  if (!io::read_status(out.inherited_descriptor, out.status)) why = io::system_failure();
  return out;
}

output_location output_location::of_entry(const std::filesystem::path& path, failure& why) {
  output_location out{.path = path};
  why = enter(path, out);
  if (!why && out.exists && S_ISDIR(out.status.mode)) why = of_system(std::errc::is_a_directory);
  return out;
}

std::optional<int> output_location::descriptor_of(const std::filesystem::path& path) {
  failure why;
  const output_location found = follow_links(path, why);
  return !why && found.inherited_descriptor >= 0 ? std::optional(found.inherited_descriptor) : std::nullopt;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

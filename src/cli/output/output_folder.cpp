// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

namespace {

/// Raises the limit on open files when `newest` comes close to it. Outputs may go to more folders than the usual limit
/// of 1,024 files.
void keep_descriptors_free(int newest) noexcept {
  constexpr rlim_t reserve = 128;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > static_cast<rlim_t>(newest) + reserve) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

constexpr unsigned status_fields = STATX_BASIC_STATS | STATX_BTIME;

}  // namespace

file_identity::file_identity(const struct statx& of) noexcept
    : device(::makedev(of.stx_dev_major, of.stx_dev_minor)), number(of.stx_ino) {
  constexpr std::int64_t second = 1'000'000'000;
  if ((of.stx_mask & STATX_BTIME) != 0) created_at = of.stx_btime.tv_sec * second + of.stx_btime.tv_nsec;
}

bool read_status(int descriptor, struct statx& into) noexcept {
  return ::statx(descriptor, "", AT_EMPTY_PATH, status_fields, &into) == 0;
}

// The appended "/." makes Linux follow a link to a folder wherever it is; with fs.protected_symlinks it may refuse a
// link that ends the path.
output_folder::output_folder(const std::filesystem::path& path, const output_folder* from, const std::string& output)
    : descriptor_(::openat(from == nullptr ? AT_FDCWD : from->descriptor(), (path / ".").c_str(),
                           O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  struct statx status {};
  if (descriptor_ < 0) throw file_error(errno, output);
  if (!cli::read_status(descriptor_, status)) {
    const int problem = errno;
    ::close(descriptor_);
    throw file_error(problem, output);
  }
  identity_ = file_identity(status);
  owner_ = status.stx_uid;
  is_shared_ = (status.stx_mode & S_ISVTX) != 0 && (status.stx_mode & S_IWOTH) != 0;
  keep_descriptors_free(descriptor_);
}

output_folder::~output_folder() { ::close(descriptor_); }

bool output_folder::read_status(const std::string& name, struct statx& into) const noexcept {
  return ::statx(descriptor_, name.c_str(), AT_SYMLINK_NOFOLLOW, status_fields, &into) == 0;
}

bool output_folder::is_foreign(const struct statx& file) const noexcept {
  return is_shared_ && file.stx_uid != owner_ && file.stx_uid != ::geteuid();
}

void output_folder::sync(const std::string& output) const {
  const int readable = ::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (readable < 0 && errno == EACCES) return;  // files can be created in a folder that cannot be listed
  if (readable < 0) throw file_error(errno, output);
  const int problem = ::fsync(readable) == 0 ? 0 : errno;
  ::close(readable);
  // Some file systems cannot flush folders.
  if (problem != 0 && problem != EINVAL && problem != ENOTSUP) throw file_error(problem, output);
}

bool names_folder(const std::string& output) {
  std::error_code ignored;
  return output.ends_with('/') || (output != "-" && std::filesystem::is_directory(output, ignored));
}

void make_parent_folders(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  std::error_code problem;
  if (!folder.empty()) std::filesystem::create_directories(folder, problem);
  if (problem) throw file_error(problem.value(), folder.string());
}

bool needs_parent_folders(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  if (folder.empty() || ::access(folder.c_str(), F_OK) == 0) return false;
  auto existing = folder;
  while (!existing.empty() && existing.has_relative_path() && ::access(existing.c_str(), F_OK) != 0 && errno == ENOENT)
    existing = existing.parent_path();
  if (::access(existing.empty() ? "." : existing.c_str(), W_OK | X_OK) != 0) throw file_error(errno, folder.string());
  return true;
}

void refuse_missing_folder(const std::string& output, bool takes_folder) {
  if (output.ends_with('/') && !takes_folder) throw cli_error("is the name of a folder", "name a file in it", output);
  const std::string folder = std::filesystem::path(output).parent_path().string();
  if (folder.empty() || ::access(folder.c_str(), F_OK) == 0 || errno != ENOENT) return;
  const std::string other = takes_folder ? fmt::format("write '{}/' to have it created", folder) : "name another file";
  throw cli_error(fmt::format("the folder '{}' does not exist", folder), "create it, or " + other, output);
}

}  // namespace tgmap::cli

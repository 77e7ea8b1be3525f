// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/output_folder.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

namespace {

/// Raises the limit on open files while there is room for those that are opened besides folders: outputs may go to more
/// folders than the usual limit of 1,024.
void keep_descriptors_free(int newest) noexcept {
  constexpr rlim_t others = 128;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > static_cast<rlim_t>(newest) + others) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

constexpr unsigned facts_wanted = STATX_BASIC_STATS | STATX_BTIME;

}  // namespace

file_identity::file_identity(const struct statx& of) noexcept
    : device(::makedev(of.stx_dev_major, of.stx_dev_minor)), number(of.stx_ino) {
  constexpr std::int64_t second = 1'000'000'000;
  if ((of.stx_mask & STATX_BTIME) != 0) made_at = of.stx_btime.tv_sec * second + of.stx_btime.tv_nsec;
}

bool look_at(int descriptor, struct statx& into) noexcept {
  return ::statx(descriptor, "", AT_EMPTY_PATH, facts_wanted, &into) == 0;
}

// "/." makes a link to a folder a step of the path, which Linux follows wherever it lies.
output_folder::output_folder(const std::filesystem::path& path, const output_folder* from, const std::string& output)
    : descriptor_(::openat(from == nullptr ? AT_FDCWD : from->descriptor(), (path / ".").c_str(),
                           O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  struct statx found {};
  if (descriptor_ < 0) throw file_error(errno, output);
  if (!look_at(descriptor_, found)) {
    const int problem = errno;
    ::close(descriptor_);
    throw file_error(problem, output);
  }
  identity_ = file_identity(found);
  owner_ = found.stx_uid;
  sticky_ = (found.stx_mode & S_ISVTX) != 0 && (found.stx_mode & S_IWOTH) != 0;
  keep_descriptors_free(descriptor_);
}

output_folder::~output_folder() { ::close(descriptor_); }

bool output_folder::look(const std::string& name, struct statx& into) const noexcept {
  return ::statx(descriptor_, name.c_str(), AT_SYMLINK_NOFOLLOW, facts_wanted, &into) == 0;
}

bool output_folder::planted_by_another(const struct statx& file) const noexcept {
  return sticky_ && file.stx_uid != owner_ && file.stx_uid != ::geteuid();
}

void output_folder::synchronise(const std::string& output) const {
  const int listed = ::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (listed < 0 && errno == EACCES) return;  // files can be made where names cannot be listed
  if (listed < 0) throw file_error(errno, output);
  const int problem = ::fsync(listed) == 0 ? 0 : errno;
  ::close(listed);
  // Some file systems keep folders where there is nothing to be told, and say so.
  if (problem != 0 && problem != EINVAL && problem != ENOTSUP) throw file_error(problem, output);
}

}  // namespace tgmap::cli

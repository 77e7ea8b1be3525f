// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "cli/complaint.hpp"
#include "cli/output.hpp"
#include "cli/outputs/access_of_file.hpp"

namespace tgmap::cli {

namespace {

constexpr mode_t before_umask = 0666;

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// A name that nothing has, short whatever the length of the other name.
std::filesystem::path name_beside(const std::filesystem::path& path) {
  std::uint64_t chance = 0;
  if (::getrandom(&chance, sizeof chance, 0) != sizeof chance) throw file_error(errno, path.string());
  return folder_of(path) / fmt::format(".tgmap-{:016x}", chance);
}

std::string path_of_descriptor(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// A file without a name; -1 where there is no such thing, or no way to give it one later.
int create_nameless(const std::filesystem::path& path) {
  const int out = ::open(folder_of(path).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, before_umask);
  if (out < 0 || ::access(path_of_descriptor(out).c_str(), F_OK) == 0) return out;
  ::close(out);
  errno = EOPNOTSUPP;
  return -1;
}

bool knows_no_nameless_files(int number) {
  return number == EOPNOTSUPP || number == EISDIR || number == EINVAL || number == ENOSYS;
}

}  // namespace

output_file::output_file(output_place place) : place_(std::move(place)) {
  if (!in_place()) {
    create();
  } else {
    descriptor_ = place_.inherited >= 0 ? ::fcntl(place_.inherited, F_DUPFD_CLOEXEC, 0)
                                        : ::open(place_.path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
  }
}

output_file::~output_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void output_file::create() {
  descriptor_ = create_nameless(place_.path);
  if (descriptor_ < 0 && knows_no_nameless_files(errno)) {
    name_ = doomed_name(name_beside(place_.path));
    descriptor_ = ::open(name_.path().c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, before_umask);
    if (descriptor_ < 0 && errno == EEXIST) name_.spare();  // another's
  }
  if (descriptor_ < 0) fail(errno);
  struct stat made {};
  if (::fstat(descriptor_, &made) != 0) fail(errno);
  device_ = made.st_dev;
  if (place_.exists) take_access(descriptor_, place_);
}

void output_file::write(std::span<const std::byte> data) {
  if (!write_all(descriptor(), data)) fail(errno);
}

int output_file::descriptor() {
  if (descriptor_ >= 0) return descriptor_;
  descriptor_ = ::open(name_.path().c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0 || ::lseek(descriptor_, 0, SEEK_END) < 0) fail(errno);  // O_APPEND and copies of ranges exclude
  return descriptor_;                                                         // each other
}

void output_file::patch(std::uint64_t at, std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t n = ::pwrite(descriptor(), data.data(), data.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    data = data.subspan(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
}

void output_file::park() {
  if (descriptor_ < 0 || in_place()) return;
  if (!name_) take_temporary_name();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

void output_file::begin_to_synchronise() noexcept {
  if (descriptor_ >= 0 && !in_place()) static_cast<void>(::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE));
}

void output_file::synchronise() {
  if (!in_place() && ::fsync(descriptor()) != 0) fail(errno);
}

void output_file::synchronise_file_system() {
  if (::syncfs(descriptor()) != 0) fail(errno);
}

void output_file::publish(replacing what) {
  if (in_place()) {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
    return;
  }
  if (!name_ && (what == replacing::refused || !place_.exists)) {
    if (::linkat(AT_FDCWD, path_of_descriptor(descriptor_).c_str(), AT_FDCWD, place_.path.c_str(), AT_SYMLINK_FOLLOW) ==
        0)
      return;
    if (errno != EEXIST || what == replacing::refused) fail(errno);
  }
  if (!name_) take_temporary_name();
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  what == replacing::allowed ? rename_over() : rename_beside();
  name_.spare();
}

void output_file::take_temporary_name() {
  name_ = doomed_name(name_beside(place_.path));
  if (::linkat(AT_FDCWD, path_of_descriptor(descriptor_).c_str(), AT_FDCWD, name_.path().c_str(), AT_SYMLINK_FOLLOW) !=
      0)
    fail(errno);
}

void output_file::rename_over() {
  if (::rename(name_.path().c_str(), place_.path.c_str()) != 0) fail(errno);
}

void output_file::rename_beside() {
  const char *const from = name_.path().c_str(), *const to = place_.path.c_str();
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return;
  if (errno != EINVAL && errno != ENOSYS) fail(errno);
  if (::link(from, to) != 0 || ::unlink(from) != 0) fail(errno);  // not every file system knows the other way
}

void output_file::fail(int number) const {
  if (number == EPIPE && place_.inherited == STDOUT_FILENO) throw closed_pipe{};
  throw file_error(number, place_.path.string());
}

void synchronise_folder(const std::filesystem::path& of) {
  const int folder = ::open(folder_of(of).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 && errno == EACCES) return;  // files can be made where names cannot be listed
  if (folder < 0) throw file_error(errno, of.string());
  const int problem = ::fsync(folder) == 0 ? 0 : errno;
  ::close(folder);
  // Some file systems keep folders where there is nothing to be told, and say so.
  if (problem != 0 && problem != EINVAL && problem != ENOTSUP) throw file_error(problem, of.string());
}

}  // namespace tgmap::cli

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

#include "cli/app/cli_error.hpp"
#include "cli/app/output.hpp"
#include "cli/outputs/access_of_file.hpp"

namespace tgmap::cli {

namespace {

constexpr mode_t before_umask = 0666;

/// A name that nothing has, short whatever the length of the other name.
std::string unused_name(const output_place& beside) {
  std::uint64_t chance = 0;
  if (::getrandom(&chance, sizeof chance, 0) != sizeof chance) throw file_error(errno, beside.path.string());
  return fmt::format(".tgmap-{:016x}", chance);
}

std::string path_of_descriptor(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// A file without a name; -1 where there is no such thing, or no way to give it one later.
int create_nameless(const output_folder& in) {
  const int out = ::openat(in.descriptor(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, before_umask);
  if (out < 0 || ::access(path_of_descriptor(out).c_str(), F_OK) == 0) return out;
  ::close(out);
  errno = EOPNOTSUPP;
  return -1;
}

bool knows_no_nameless_files(int number) {
  return number == EOPNOTSUPP || number == EISDIR || number == EINVAL || number == ENOSYS;
}

}  // namespace

output_file::output_file(output_place place) : place_(std::move(place)) { in_place() ? open_in_place() : create(); }

output_file::~output_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void output_file::open_in_place() {
  const bool given = place_.inherited >= 0;
  descriptor_ =
      given ? ::fcntl(place_.inherited, F_DUPFD_CLOEXEC, 0)
            : ::openat(place_.folder->descriptor(), place_.name.c_str(), O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
  struct statx opened {};
  if (descriptor_ < 0 || !look_at(descriptor_, opened)) fail(errno);
  if (given || file_identity(opened) == place_.identity) return;
  ::close(std::exchange(descriptor_, -1));
  throw cli_error("another file has this name by now", "run it again once nobody else changes its folder",
                  place_.path.string());
}

void output_file::create() {
  const int folder = place_.folder->descriptor();
  descriptor_ = create_nameless(*place_.folder);
  if (descriptor_ < 0 && knows_no_nameless_files(errno)) {
    name_ = doomed_name(place_.folder, unused_name(place_));
    descriptor_ =
        ::openat(folder, name_.name().c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, before_umask);
    if (descriptor_ < 0 && errno == EEXIST) name_.spare();  // another's
  }
  if (descriptor_ < 0) fail(errno);
  struct statx made {};
  if (!look_at(descriptor_, made)) fail(errno);
  identity_ = file_identity(made);
  if (place_.exists) take_access(descriptor_, place_);
}

void output_file::write(std::span<const std::byte> data) {
  if (!write_all(descriptor(), data)) fail(errno);
}

int output_file::descriptor() {
  if (descriptor_ >= 0) return descriptor_;
  // A pipe that somebody has put there is not waited for.
  const int opened =
      ::openat(place_.folder->descriptor(), name_.name().c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const int problem = errno;
  struct statx found {};
  const bool seen = opened >= 0 ? look_at(opened, found) : place_.folder->look(name_.name(), found);
  if (!seen || file_identity(found) != identity_) {
    if (opened >= 0) ::close(opened);
    fail_for_lost_name();
  }
  if (opened < 0) fail(problem);
  descriptor_ = opened;
  if (::lseek(descriptor_, 0, SEEK_END) < 0) fail(errno);  // O_APPEND and copies of ranges exclude each other
  return descriptor_;
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
    if (link_as(place_.name)) return;
    if (errno != EEXIST || what == replacing::refused) fail(errno);
  }
  if (!name_) take_temporary_name();
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  struct statx found {};
  if (!place_.folder->look(name_.name(), found) || file_identity(found) != identity_) fail_for_lost_name();
  what == replacing::allowed ? rename_over() : rename_beside();
  name_.spare();
}

bool output_file::link_as(const std::string& name) const {
  return ::linkat(AT_FDCWD, path_of_descriptor(descriptor_).c_str(), place_.folder->descriptor(), name.c_str(),
                  AT_SYMLINK_FOLLOW) == 0;
}

void output_file::take_temporary_name() {
  name_ = doomed_name(place_.folder, unused_name(place_));
  if (link_as(name_.name())) return;
  const int problem = errno;
  if (problem == EEXIST) name_.spare();  // another's
  fail(problem);
}

void output_file::rename_over() {
  const int folder = place_.folder->descriptor();
  if (::renameat(folder, name_.name().c_str(), folder, place_.name.c_str()) != 0) fail(errno);
}

void output_file::rename_beside() {
  const int folder = place_.folder->descriptor();
  const char *const from = name_.name().c_str(), *const to = place_.name.c_str();
  if (::renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return;
  if (errno != EINVAL && errno != ENOSYS) fail(errno);
  // Not every file system knows the other way.
  if (::linkat(folder, from, folder, to, 0) != 0 || ::unlinkat(folder, from, 0) != 0) fail(errno);
}

void output_file::fail_for_lost_name() const {
  const auto temporary = place_.path.parent_path() / name_.name();
  throw cli_error(fmt::format("its temporary file '{}' has been removed or replaced", temporary.string()),
                  "run it again once nobody else changes the folder, or write into another one", place_.path.string());
}

void output_file::fail(int number) const {
  if (number == EPIPE && place_.inherited == STDOUT_FILENO) throw closed_pipe{};
  throw file_error(number, place_.path.string());
}

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/output.hpp"
#include "cli/output/output_location.hpp"

namespace tgmap::cli {

namespace {

constexpr const char* access_list_attribute = "system.posix_acl_access";
constexpr mode_t group_permissions = 070;  // with an access list: the upper bound for all its entries

/// Returns the access control list of a file, empty if it has none. Returns nothing if the list cannot be read, or if
/// another file has the name by now.
std::optional<std::vector<std::byte>> access_list_of(const output_location& file) {
  const int descriptor = ::openat(file.folder->descriptor(), file.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct statx status {};
  std::optional<std::vector<std::byte>> out;
  if (read_status(descriptor, status) && file_identity(status) == file.identity) {
    std::vector<std::byte> list(64U << 10);  // the system's maximum
    const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
    const ssize_t size = ::getxattr(path.c_str(), access_list_attribute, list.data(), list.size());
    if (size >= 0 || errno == ENODATA || errno == EOPNOTSUPP) {
      list.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
      out = std::move(list);
    }
  }
  ::close(descriptor);
  return out;
}

/// Gives the file behind `descriptor` the owner, group, permissions and access control list of the file that it will
/// replace, as far as this process may. Rights that cannot be kept are dropped, so nobody gains access: in particular
/// set-user-ID is cleared if the owner changes.
void copy_permissions(int descriptor, const output_location& from) {
  const bool same_owner = ::fchown(descriptor, from.user, from.group) == 0;
  const bool same_group = same_owner || ::fchown(descriptor, static_cast<uid_t>(-1), from.group) == 0;
  const auto list = access_list_of(from);
  static_cast<void>(::fremovexattr(descriptor, access_list_attribute));  // the folder may have set a default one
  mode_t mode = from.mode & (same_owner ? 07777 : 0777);
  if (!same_group || !list || !list->empty()) mode &= ~group_permissions;
  static_cast<void>(::fchmod(descriptor, mode));
  if (same_group && list && !list->empty())  // restores the group permissions, too
    static_cast<void>(::fsetxattr(descriptor, access_list_attribute, list->data(), list->size(), 0));
}

constexpr mode_t default_mode = 0666;  // less the umask

/// Returns a random name. It is short, so that a long name of the output does not make it too long.
std::string random_name(const output_location& location) {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) throw file_error(errno, location.path.string());
  return fmt::format(".tgmap-{:016x}", number);
}

std::string path_of_descriptor(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// Creates a file without a name. Returns -1 and sets errno if the system has no such files, or cannot name them later.
int create_nameless(const output_folder& in) {
  const int out = ::openat(in.descriptor(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, default_mode);
  if (out < 0 || ::access(path_of_descriptor(out).c_str(), F_OK) == 0) return out;
  ::close(out);
  errno = EOPNOTSUPP;
  return -1;
}

bool lacks_nameless_files(int number) {
  return number == EOPNOTSUPP || number == EISDIR || number == EINVAL || number == ENOSYS;
}

}  // namespace

output_file::output_file(output_location location) : location_(std::move(location)) {
  in_place() ? open_in_place() : create();
}

output_file::~output_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void output_file::open_in_place() {
  const bool is_inherited = location_.inherited_descriptor >= 0;
  descriptor_ = is_inherited ? ::fcntl(location_.inherited_descriptor, F_DUPFD_CLOEXEC, 0)
                             : ::openat(location_.folder->descriptor(), location_.name.c_str(),
                                        O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
  struct statx status {};
  if (descriptor_ < 0 || !read_status(descriptor_, status)) fail(errno);
  if (is_inherited || file_identity(status) == location_.identity) return;
  ::close(std::exchange(descriptor_, -1));
  throw cli_error("another file took this name meanwhile", "run the command again when nobody else changes the folder",
                  location_.path.string());
}

void output_file::create() {
  const int folder = location_.folder->descriptor();
  descriptor_ = create_nameless(*location_.folder);
  if (descriptor_ < 0 && lacks_nameless_files(errno)) {
    temporary_ = temporary_file(location_.folder, random_name(location_));
    descriptor_ =
        ::openat(folder, temporary_.name().c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, default_mode);
    if (descriptor_ < 0 && errno == EEXIST) temporary_.release();  // it belongs to another process
  }
  if (descriptor_ < 0) fail(errno);
  struct statx status {};
  if (!read_status(descriptor_, status)) fail(errno);
  identity_ = file_identity(status);
  if (location_.exists) copy_permissions(descriptor_, location_);
}

void output_file::write(std::span<const std::byte> data) {
  if (!write_all(descriptor(), data)) fail(errno);
}

int output_file::descriptor() {
  if (descriptor_ >= 0) return descriptor_;
  // O_NONBLOCK: another user may have replaced the file by a pipe.
  const int opened = ::openat(location_.folder->descriptor(), temporary_.name().c_str(),
                              O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const int problem = errno;
  struct statx status {};
  const bool has_status =
      opened >= 0 ? read_status(opened, status) : location_.folder->read_status(temporary_.name(), status);
  if (!has_status || file_identity(status) != identity_) {
    if (opened >= 0) ::close(opened);
    throw_name_lost();
  }
  if (opened < 0) fail(problem);
  descriptor_ = opened;
  if (::lseek(descriptor_, 0, SEEK_END) < 0) fail(errno);  // copy_file_range does not support O_APPEND
  return descriptor_;
}

void output_file::overwrite(std::uint64_t at, std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t n = ::pwrite(descriptor(), data.data(), data.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    data = data.subspan(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
}

void output_file::suspend() {
  if (descriptor_ < 0 || in_place()) return;
  if (!temporary_) add_temporary_name();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

void output_file::start_sync() noexcept {
  if (descriptor_ >= 0 && !in_place()) static_cast<void>(::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE));
}

void output_file::sync() {
  if (!in_place() && ::fsync(descriptor()) != 0) fail(errno);
}

void output_file::sync_file_system() {
  if (::syncfs(descriptor()) != 0) fail(errno);
}

void output_file::publish(replacement existing) {
  if (in_place()) {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
    return;
  }
  if (!temporary_ && (existing == replacement::refused || !location_.exists)) {
    if (link_as(location_.name)) return;
    if (errno != EEXIST || existing == replacement::refused) fail(errno);
  }
  if (!temporary_) add_temporary_name();
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  struct statx status {};
  if (!location_.folder->read_status(temporary_.name(), status) || file_identity(status) != identity_)
    throw_name_lost();
  existing == replacement::allowed ? rename_and_replace() : rename_without_replacing();
  temporary_.release();
}

bool output_file::link_as(const std::string& name) const {
  return ::linkat(AT_FDCWD, path_of_descriptor(descriptor_).c_str(), location_.folder->descriptor(), name.c_str(),
                  AT_SYMLINK_FOLLOW) == 0;
}

void output_file::add_temporary_name() {
  temporary_ = temporary_file(location_.folder, random_name(location_));
  if (link_as(temporary_.name())) return;
  const int problem = errno;
  if (problem == EEXIST) temporary_.release();  // it belongs to another process
  fail(problem);
}

void output_file::rename_and_replace() {
  const int folder = location_.folder->descriptor();
  if (::renameat(folder, temporary_.name().c_str(), folder, location_.name.c_str()) != 0) fail(errno);
}

void output_file::rename_without_replacing() {
  const int folder = location_.folder->descriptor();
  const char *const from = temporary_.name().c_str(), *const to = location_.name.c_str();
  if (::renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return;
  if (errno != EINVAL && errno != ENOSYS) fail(errno);
  // Some file systems lack RENAME_NOREPLACE.
  if (::linkat(folder, from, folder, to, 0) != 0 || ::unlinkat(folder, from, 0) != 0) fail(errno);
}

void output_file::throw_name_lost() const {
  const auto temporary = location_.path.parent_path() / temporary_.name();
  throw cli_error(fmt::format("its temporary file '{}' was removed or replaced", temporary.string()),
                  "run the command again when nobody else changes the folder, or use another folder",
                  location_.path.string());
}

void output_file::fail(int number) const {
  if (number == EPIPE && location_.inherited_descriptor == STDOUT_FILENO) throw closed_pipe{};
  throw file_error(number, location_.path.string());
}

}  // namespace tgmap::cli

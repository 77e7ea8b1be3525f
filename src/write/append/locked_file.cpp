// SPDX-License-Identifier: Apache-2.0
#include "write/append/locked_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <tgmap/archive.hpp>
#include <utility>

#include "io/file.hpp"

namespace tgmap::write {

namespace {

using io::system_failure;

constexpr mode_t permissions = 0666;  // the umask removes some

failure sync_data(int descriptor) noexcept {
  while (::fdatasync(descriptor) != 0)
    if (errno != EINTR) return system_failure();
  return {};
}

/// Puts the name of a new file on the disk: syncs its directory, or the whole file system if the directory cannot be
/// opened.
failure sync_name(const std::filesystem::path& directory, int file) noexcept {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 && errno == EACCES) return ::syncfs(file) == 0 ? failure{} : system_failure();
  if (descriptor < 0) return system_failure();
  const failure why = ::fsync(descriptor) == 0 ? failure{} : system_failure();
  ::close(descriptor);
  // Some file systems need no sync of directories and refuse it.
  const bool is_needless = why.code == std::errc::invalid_argument || why.code == std::errc::not_supported;
  return is_needless ? failure{} : why;
}

failure archive_changed(std::uint64_t end, std::uint64_t found) noexcept {
  return {.code = errc::archive_changed, .offset = end, .expected = end, .found = found};
}

/// Reads the identity and the size of a file. `stat` would also read its times; the kernel would then have to give the
/// next write a new time.
failure read_size(int directory, const char* name, struct statx& out) noexcept {
  return ::statx(directory, name, AT_EMPTY_PATH, STATX_SIZE | STATX_INO, &out) == 0 ? failure{} : system_failure();
}

bool is_same_file(const struct statx& a, const struct statx& b) noexcept {
  return a.stx_ino == b.stx_ino && a.stx_dev_major == b.stx_dev_major && a.stx_dev_minor == b.stx_dev_minor;
}

}  // namespace

locked_file::~locked_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

failure locked_file::open(const std::filesystem::path& path, const append_options& options) {
  constexpr int flags = O_RDWR | O_CLOEXEC;
  std::error_code no_directory;
  path_ = std::filesystem::absolute(path, no_directory);
  if (no_directory) path_ = path;
  descriptor_ = ::open(path_.c_str(), flags);
  if (descriptor_ < 0 && errno == ENOENT && options.create) {
    descriptor_ = ::open(path_.c_str(), flags | O_CREAT, permissions);
    unsynced_directory_ = path_.parent_path();
  }
  if (descriptor_ < 0) return errno == EISDIR ? failure{.code = errc::is_directory} : system_failure();
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return system_failure();
  if (!S_ISREG(status.st_mode)) return {.code = std::make_error_code(std::errc::invalid_seek)};
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? failure{.code = errc::archive_locked} : system_failure();
  if (::fstat(descriptor_, &status) != 0) return system_failure();
  opened_size_ = static_cast<std::uint64_t>(status.st_size);
  if (failure why = check_unchanged(opened_size_)) return why;  // the path may have got another file before the lock
  return find_end(options.tail);
}

/// Finds the end of the last whole message: the end of the archive, unless an incomplete tail is to be cut off.
/// Scans from the front, since a search from the end could find a message inside the payload of an incomplete one.
failure locked_file::find_end(on_tail tail) {
  failure why;
  const archive contents = archive::from_descriptor(descriptor_, {}, why);
  if (why) return why;
  end_ = contents.size_bytes();
  const std::size_t count = contents.size(why);
  // Only the beginning of a message may be cut off; other bytes are not a writer's leftovers.
  if (why || !contents.incomplete_tail()) return why;
  const std::uint64_t size = std::exchange(end_, contents.incomplete_tail()->begin);
  if (count > 0)
    if (const message last = contents.at(count - 1, why); last.is_incomplete()) end_ = last.offset();
  if (!why && tail == on_tail::refuse)
    why = {.code = errc::incomplete_tail, .offset = end_, .expected = end_, .found = size};
  return why;
}

failure locked_file::check_unchanged(std::uint64_t end) const noexcept {
  struct statx opened {};
  struct statx named {};
  if (failure why = read_size(descriptor_, "", opened)) return why;
  if (failure why = read_size(AT_FDCWD, path_.c_str(), named))
    return why.code == std::errc::no_such_file_or_directory ? archive_changed(end, 0) : why;
  return is_same_file(opened, named) && opened.stx_size == end ? failure{} : archive_changed(end, named.stx_size);
}

failure locked_file::truncate(std::uint64_t end, std::uint64_t written_end) const noexcept {
  const auto new_size = static_cast<off_t>(end);
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return system_failure();
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < end || size > written_end) return archive_changed(end, size);
  if (status.st_size > new_size && ::ftruncate(descriptor_, new_size) != 0) return system_failure();
  return ::lseek(descriptor_, new_size, SEEK_SET) < 0 ? system_failure() : failure{};
}

failure locked_file::sync() noexcept {
  if (failure why = sync_data(descriptor_)) return why;
  if (unsynced_directory_.empty()) return {};
  failure why = sync_name(unsynced_directory_, descriptor_);
  if (!why) unsynced_directory_.clear();
  return why;
}

}  // namespace tgmap::write

// SPDX-License-Identifier: Apache-2.0
#include "write/append/locked_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <tgmap/archive.hpp>
#include <utility>

#include "io/file.hpp"
#include "io/file_status.hpp"

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

/// Returns whether `flock` answers that the file system has no locks, or that a sandbox forbids them.
bool lacks_locks(int number) noexcept {
  constexpr std::array known{ENOSYS, ENOLCK, EOPNOTSUPP, EINVAL, EPERM, 524};  // 524: ENOTSUPP of the kernel
  return std::ranges::find(known, number) != known.end();
}

}  // namespace

/// Opens the file, or creates it.
failure locked_file::open_file(const append_options& options, bool& is_new) {
  constexpr int flags = O_RDWR | O_CLOEXEC;
  descriptor_.reset(::open(path_.c_str(), flags));
  is_new = !descriptor_ && errno == ENOENT && options.create;
  if (is_new) {
    descriptor_.reset(::open(path_.c_str(), flags | O_CREAT | O_EXCL, permissions));
    is_new = static_cast<bool>(descriptor_);
    if (!is_new && errno == EEXIST) descriptor_.reset(::open(path_.c_str(), flags | O_CREAT, permissions));
    unsynced_directory_ = path_.parent_path();
  }
  if (descriptor_) return {};
  return errno == EISDIR ? failure{.code = errc::is_directory} : system_failure();
}

failure locked_file::lock() const noexcept {
  while (::flock(descriptor_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) return {.code = errc::archive_locked};
    const auto number = static_cast<std::uint64_t>(errno);
    return lacks_locks(errno) ? failure{.code = errc::cannot_lock, .found = number} : system_failure();
  }
  return {};
}

failure locked_file::open(const std::filesystem::path& path, const append_options& options) {
  std::error_code no_directory;
  path_ = std::filesystem::absolute(path, no_directory);
  if (no_directory) path_ = path;
  // The file to which a link leads is created, and removed again if it cannot be locked.
  if (std::filesystem::is_symlink(path_, no_directory))
    if (auto target = std::filesystem::weakly_canonical(path_, no_directory); !no_directory) path_ = std::move(target);
  bool is_new = false;
  if (failure why = open_file(options, is_new)) return why;
  io::file_status status;
  if (!io::read_status(descriptor_.get(), status)) return system_failure();
  if (!S_ISREG(status.mode)) return {.code = {ESPIPE, std::system_category()}};
  if (options.lock)
    if (failure why = lock()) {
      // Another appender that has locked it since may have written to it.
      if (is_new && why.code == errc::cannot_lock && !check_unchanged(0)) ::unlink(path_.c_str());
      return why;
    }
  is_locked_ = options.lock;
  if (!io::read_status(descriptor_.get(), status)) return system_failure();
  opened_size_ = status.size;
  if (failure why = check_unchanged(opened_size_)) return why;  // the path may have got another file before the lock
  return find_end(options.tail);
}

failure locked_file::unlock() noexcept {
  if (!descriptor_) return {};
  // Closing would keep the lock for as long as a child has a copy of the descriptor.
  if (is_locked_) static_cast<void>(::flock(descriptor_.get(), LOCK_UN));
  errno = descriptor_.close();
  return errno == 0 ? failure() : system_failure();
}

/// Finds the end of the last whole message: the end of the archive, unless an incomplete tail is to be cut off.
/// Scans from the front, since a search from the end could find a message inside the payload of an incomplete one.
failure locked_file::find_end(on_tail tail) {
  failure why;
  const archive contents = archive::from_descriptor(descriptor_.get(), {}, why);
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
  if (!is_open()) return {.code = errc::call_out_of_order};
  // Times are not asked for: the kernel would then have to give the next write a new one.
  constexpr auto part = io::status_part::number_and_size;
  io::file_status opened, named;
  if (!io::read_status(descriptor_.get(), opened, part)) return system_failure();
  if (!io::read_status(AT_FDCWD, path_.c_str(), true, named, part))
    return errno == ENOENT ? archive_changed(end, 0) : system_failure();
  const bool is_same = io::is_named(descriptor_.get(), opened, AT_FDCWD, path_.c_str(), named);
  return is_same && opened.size == end ? failure{} : archive_changed(end, named.size);
}

failure locked_file::truncate(std::uint64_t end, std::uint64_t written_end) const noexcept {
  const auto new_size = static_cast<off_t>(end);
  io::file_status status;
  if (!is_open()) return {.code = errc::call_out_of_order};
  if (!io::read_status(descriptor_.get(), status)) return system_failure();
  if (status.size < end || status.size > written_end) return archive_changed(end, status.size);
  if (status.size > end && ::ftruncate(descriptor_.get(), new_size) != 0) return system_failure();
  return ::lseek(descriptor_.get(), new_size, SEEK_SET) < 0 ? system_failure() : failure{};
}

failure locked_file::sync() noexcept {
  if (!is_open()) return {.code = errc::call_out_of_order};
  if (failure why = sync_data(descriptor_.get())) return why;
  if (unsynced_directory_.empty()) return {};
  failure why = sync_name(unsynced_directory_, descriptor_.get());
  if (!why) unsynced_directory_.clear();
  return why;
}

}  // namespace tgmap::write

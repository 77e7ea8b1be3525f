// SPDX-License-Identifier: Apache-2.0
#include "write/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <tgmap/archive.hpp>
#include <utility>

namespace tgmap::write {

namespace {

constexpr mode_t before_umask = 0666;

failure last_error() noexcept { return {.code = std::error_code(errno, std::system_category())}; }

failure sync_one(int descriptor) noexcept {
  while (::fdatasync(descriptor) != 0)
    if (errno != EINTR) return last_error();
  return {};
}

/// The name of a file that was made. Where names cannot be listed, its file system as a whole.
failure sync_name(const std::filesystem::path& folder, int file) noexcept {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 && errno == EACCES) return ::syncfs(file) == 0 ? failure{} : last_error();
  if (descriptor < 0) return last_error();
  const failure why = ::fsync(descriptor) == 0 ? failure{} : last_error();
  ::close(descriptor);
  // Some file systems keep folders where there is nothing to be told, and say so.
  const bool nothing_to_tell = why.code == std::errc::invalid_argument || why.code == std::errc::not_supported;
  return nothing_to_tell ? failure{} : why;
}

failure changed(std::uint64_t end, std::uint64_t found) noexcept {
  return {.code = errc::archive_changed, .offset = end, .expected = end, .found = found};
}

/// Which file it is, and its size. Not by `stat`, which asks for times too: then the next write must note a new one.
failure look(int folder, const char* name, struct statx& out) noexcept {
  return ::statx(folder, name, AT_EMPTY_PATH, STATX_SIZE | STATX_INO, &out) == 0 ? failure{} : last_error();
}

bool same_file(const struct statx& a, const struct statx& b) noexcept {
  return a.stx_ino == b.stx_ino && a.stx_dev_major == b.stx_dev_major && a.stx_dev_minor == b.stx_dev_minor;
}

}  // namespace

append_file::~append_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

failure append_file::open(const std::filesystem::path& path, const append_options& how) {
  constexpr int flags = O_RDWR | O_CLOEXEC;
  std::error_code nowhere;
  path_ = std::filesystem::absolute(path, nowhere);
  if (nowhere) path_ = path;
  descriptor_ = ::open(path_.c_str(), flags);
  if (descriptor_ < 0 && errno == ENOENT && how.create) {
    descriptor_ = ::open(path_.c_str(), flags | O_CREAT, before_umask);
    new_in_ = path_.parent_path();
  }
  if (descriptor_ < 0) return errno == EISDIR ? failure{.code = errc::is_directory} : last_error();
  struct stat facts {};
  if (::fstat(descriptor_, &facts) != 0) return last_error();
  if (!S_ISREG(facts.st_mode)) return {.code = std::make_error_code(std::errc::invalid_seek)};
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? failure{.code = errc::archive_locked} : last_error();
  if (::fstat(descriptor_, &facts) != 0) return last_error();
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  if (failure why = unchanged(size)) return why;  // before the lock came, another file may have got its name
  if (failure why = find_end(how.tail)) return why;
  return cut(end_, size);
}

/// Where the last whole message ends, which is where the archive ends, unless there is a tail to be cut off. From the
/// front: a message that is found from the end may lie in a payload of one that was never finished, and so may what
/// follows a gap.
failure append_file::find_end(on_tail tail) {
  failure why;
  const archive there = archive::from_descriptor(descriptor_, {}, why);
  if (why) return why;
  end_ = there.size_bytes();
  const std::size_t count = there.size(why);
  // Only what a writer has begun may be taken off; bytes that are something else are somebody's.
  if (why || !there.incomplete_tail()) return why;
  const std::uint64_t size = std::exchange(end_, there.incomplete_tail()->begin);
  if (count > 0)
    if (const message last = there.at(count - 1, why); last.is_incomplete()) end_ = last.offset();
  if (!why && tail == on_tail::refuse)
    why = {.code = errc::incomplete_tail, .offset = end_, .expected = end_, .found = size};
  return why;
}

failure append_file::unchanged(std::uint64_t end) const noexcept {
  struct statx mine {};
  struct statx named {};
  if (failure why = look(descriptor_, "", mine)) return why;
  if (failure why = look(AT_FDCWD, path_.c_str(), named))
    return why.code == std::errc::no_such_file_or_directory ? changed(end, 0) : why;
  return same_file(mine, named) && mine.stx_size == end ? failure{} : changed(end, named.stx_size);
}

failure append_file::cut(std::uint64_t end, std::uint64_t reached) const noexcept {
  const auto at = static_cast<off_t>(end);
  struct stat facts {};
  if (::fstat(descriptor_, &facts) != 0) return last_error();
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  if (size < end || size > reached) return changed(end, size);
  if (facts.st_size > at && ::ftruncate(descriptor_, at) != 0) return last_error();
  return ::lseek(descriptor_, at, SEEK_SET) < 0 ? last_error() : failure{};
}

failure append_file::sync() noexcept {
  if (failure why = sync_one(descriptor_)) return why;
  if (new_in_.empty()) return {};
  failure why = sync_name(new_in_, descriptor_);
  if (!why) new_in_.clear();
  return why;
}

}  // namespace tgmap::write

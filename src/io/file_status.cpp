// SPDX-License-Identifier: Apache-2.0
#include "io/file_status.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <span>

#include "io/file.hpp"
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

namespace tgmap::io {

namespace {

/// Returns a time in nanoseconds. A file system may state any seconds: the result then wraps around.
template <class Time>
std::int64_t nanoseconds_of(const Time& seconds, std::int64_t rest) noexcept {
  constexpr std::uint64_t per_second = 1'000'000'000;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(seconds) * per_second + static_cast<std::uint64_t>(rest));
}

file_status as_status(const struct ::stat& from) noexcept {
#ifdef __APPLE__
  const auto& changed = from.st_mtimespec;
#else
  const auto& changed = from.st_mtim;
#endif
  return {.identity = {.device = static_cast<std::uint64_t>(from.st_dev), .number = from.st_ino},
          .mode = from.st_mode,
          .user = from.st_uid,
          .group = from.st_gid,
          .size = static_cast<std::uint64_t>(from.st_size),
          .links = static_cast<std::uint64_t>(from.st_nlink),
          .changed_at = nanoseconds_of(changed.tv_sec, changed.tv_nsec)};
}

#ifdef __linux__

file_status as_status(const struct ::statx& from) noexcept {
  file_status out{.identity = {.device = ::makedev(from.stx_dev_major, from.stx_dev_minor), .number = from.stx_ino},
                  .mode = from.stx_mode,
                  .user = from.stx_uid,
                  .group = from.stx_gid,
                  .size = from.stx_size,
                  .links = from.stx_nlink,
                  .changed_at = nanoseconds_of(from.stx_mtime.tv_sec, from.stx_mtime.tv_nsec)};
#ifdef STATX_ATTR_MOUNT_ROOT
  out.is_mounted = (from.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#endif
  if ((from.stx_mask & STATX_BTIME) != 0)
    out.identity.created_at = nanoseconds_of(from.stx_btime.tv_sec, from.stx_btime.tv_nsec);
  return out;
}

/// Returns 1, 0 after a failure with errno, or -1 if `statx` is refused: by old kernels, and by filters of system calls
/// that do not know it.
int try_statx(int folder, const char* name, int flags, status_part part, file_status& out) noexcept {
  const unsigned fields = part == status_part::everything ? STATX_BASIC_STATS | STATX_BTIME : STATX_SIZE | STATX_INO;
  struct ::statx found {};
  if (::statx(folder, name, flags, fields, &found) != 0) return errno == ENOSYS || errno == EPERM ? -1 : 0;
  out = as_status(found);
  return 1;
}

#endif

bool is_same_state(const file_status& a, const file_status& b) noexcept {
  return a.size == b.size && a.changed_at == b.changed_at;
}

/// Returns whether the file system may give one file several numbers.
bool may_renumber(int descriptor, const file_status& of_descriptor, int folder, const char* name,
                  const file_status& of_name) noexcept {
  // The time of creation is not always asked for.
  const auto differs = [](const file_status& a, const file_status& b) {
    return a.identity.number != b.identity.number || a.identity.device != b.identity.device;
  };
  file_status again;
  return network_file_system(descriptor) != nullptr ||
         (read_status(descriptor, again) && differs(again, of_descriptor)) ||
         (read_status(folder, name, true, again) && differs(again, of_name));
}

constexpr std::size_t compared_bytes = 4096;  // at each end

bool is_same_part(int a, int b, std::uint64_t at, std::uint64_t bytes) noexcept {
  std::array<std::byte, compared_bytes> of_a, of_b;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, compared_bytes));
  const ::ssize_t read = ::pread(a, of_a.data(), size, static_cast<::off_t>(at));
  if (read < 0) return errno == EBADF;  // the descriptor is not open for reading
  return ::pread(b, of_b.data(), size, static_cast<::off_t>(at)) == read &&
         std::equal(of_a.begin(), of_a.begin() + read, of_b.begin());
}

}  // namespace

bool read_status(int folder, const char* name, bool follow_link, file_status& out, status_part part) noexcept {
  const int flags = follow_link ? 0 : AT_SYMLINK_NOFOLLOW;
#ifdef __linux__
  if (const int done = try_statx(folder, name, flags, part, out); done >= 0) return done == 1;
#endif
  static_cast<void>(part);
  struct ::stat found {};
  if (::fstatat(folder, name, &found, flags) != 0) return false;
  out = as_status(found);
  return true;
}

bool read_status(int descriptor, file_status& out, status_part part) noexcept {
#ifdef __linux__
  if (const int done = try_statx(descriptor, "", AT_EMPTY_PATH, part, out); done >= 0) return done == 1;
#endif
  static_cast<void>(part);
  struct ::stat found {};
  if (::fstat(descriptor, &found) != 0) return false;
  out = as_status(found);
  return true;
}

bool is_named(int descriptor, const file_status& of_descriptor, int folder, const char* name,
              const file_status& of_name) noexcept {
  if (of_descriptor.identity == of_name.identity) return true;
  if (!may_renumber(descriptor, of_descriptor, folder, name, of_name)) return false;
  file_status a, b;
  if (!read_status(descriptor, a) || !read_status(folder, name, true, b) || a.links == 0 || !is_same_state(a, b))
    return false;
  const file named(::openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!named) return errno == EACCES;  // its owner may not read it either
  const std::uint64_t last = a.size - std::min<std::uint64_t>(a.size, compared_bytes);
  return is_same_part(descriptor, named.descriptor(), 0, a.size) &&
         is_same_part(descriptor, named.descriptor(), last, a.size - last);
}

}  // namespace tgmap::io

// SPDX-License-Identifier: Apache-2.0
// A preloaded library that makes system calls of the command fail, fall short, or end the process. TGMAP_FAULTS lists
// the faults: "CALL:NUMBER:ACTION,...". NUMBER counts from 0, or is * for every call. ACTION is the name of an error or
// a signal, "short", "nothing", "make=FILE", or "swap=FILE" (every .tgmap-* in the working folder becomes a link to
// FILE). TGMAP_FAULT_COUNTS names a file that gets a line for each call.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace {

constexpr std::array<std::string_view, 17> calls{"copy_file_range", "write", "writev", "tmpfile",   "open",   "linkat",
                                                 "rename",          "fsync", "syncfs", "renameat2", "folder", "fchown",
                                                 "fsetxattr",       "flock", "statx",  "proc",      "number"};
std::array<std::atomic<long>, calls.size()> made{};

constexpr std::pair<std::string_view, int> errors[] = {
    {"EXDEV", EXDEV},   {"EINVAL", EINVAL}, {"EOPNOTSUPP", EOPNOTSUPP},
    {"ENOSYS", ENOSYS}, {"EPERM", EPERM},   {"ENOSPC", ENOSPC},
    {"EIO", EIO},       {"EINTR", EINTR},   {"EBADF", EBADF},
    {"EDQUOT", EDQUOT}, {"EACCES", EACCES}, {"ENOLCK", ENOLCK},
    {"524", 524}};
constexpr std::pair<std::string_view, int> signals[] = {
    {"SIGKILL", SIGKILL}, {"SIGTERM", SIGTERM}, {"SIGINT", SIGINT},  {"SIGHUP", SIGHUP},
    {"SIGQUIT", SIGQUIT}, {"SIGALRM", SIGALRM}, {"SIGXCPU", SIGXCPU}};

enum class fate { as_ever, short_count, nothing, failed };

void record(std::string_view call) {
  const char* const to = std::getenv("TGMAP_FAULT_COUNTS");
  if (to == nullptr) return;
  const int file = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_APPEND, 0600));
  const std::string line = std::string(call) + "\n";
  ::syscall(SYS_write, file, line.data(), line.size());
  ::syscall(SYS_close, file);
}

void put_links(const std::string& to) {
  for (const auto& each : std::filesystem::directory_iterator(".")) {
    if (!each.path().filename().string().starts_with(".tgmap-")) continue;
    ::syscall(SYS_unlinkat, AT_FDCWD, each.path().c_str(), 0);
    ::syscall(SYS_symlinkat, to.c_str(), AT_FDCWD, each.path().c_str());
  }
}

fate carry_out(std::string_view action) {
  for (const auto& [name, number] : errors)
    if (action == name) return errno = number, fate::failed;
  for (const auto& [name, number] : signals)
    if (action == name) ::raise(number);
  if (action.starts_with("make=")) {
    const std::string file(action.substr(5));
    ::syscall(SYS_close, ::syscall(SYS_openat, AT_FDCWD, file.c_str(), O_WRONLY | O_CREAT, 0600));
  }
  if (action.starts_with("swap=")) put_links(std::string(action.substr(5)));
  if (action == "short") return fate::short_count;
  return action == "nothing" ? fate::nothing : fate::as_ever;
}

fate fate_of(std::string_view call) {
  std::size_t which = 0;
  while (calls[which] != call) ++which;
  const std::string number = std::to_string(made[which]++);
  record(call);
  const char* const asked = std::getenv("TGMAP_FAULTS");
  std::string_view rest = asked == nullptr ? "" : asked;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const std::size_t first = one.find(':'), second = one.find(':', first + 1);
    const std::string_view when = one.substr(first + 1, second - first - 1);
    if (one.substr(0, first) == call && (when == "*" || when == number)) return carry_out(one.substr(second + 1));
  }
  return fate::as_ever;
}

/// Gives a file another number in each call, as some file systems in user space do.
void renumber(unsigned long long& number) {
  static std::atomic<unsigned long long> next = 1'000'000;
  if (fate_of("number") == fate::failed) number = ++next;
}

/// Calls `real(bytes)` with the number of bytes that the fault leaves.
template <class Real>
ssize_t counted(std::string_view call, std::size_t bytes, Real&& real) {
  switch (fate_of(call)) {
    case fate::failed: return -1;
    case fate::nothing: return 0;
    case fate::short_count: return real((bytes + 1) / 2);
    case fate::as_ever: break;
  }
  return real(bytes);
}

template <class Real>
int failing(std::string_view call, Real&& real) {
  return fate_of(call) == fate::failed ? -1 : static_cast<int>(real());
}

bool is_output(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }
bool is_folder(int flags) { return (flags & O_TMPFILE) == O_DIRECTORY && (flags & O_PATH) == 0; }  // to be synchronised
bool is_nameless(int flags) { return (flags & O_TMPFILE) == O_TMPFILE; }

}  // namespace

extern "C" {

ssize_t copy_file_range(int in, off64_t* in_at, int out, off64_t* out_at, size_t size, unsigned flags) {
  return counted("copy_file_range", size, [&](std::size_t bytes) {
    return ::syscall(SYS_copy_file_range, in, in_at, out, out_at, bytes, flags);
  });
}

ssize_t write(int descriptor, const void* data, size_t size) {
  if (descriptor <= STDERR_FILENO) return ::syscall(SYS_write, descriptor, data, size);
  return counted("write", size, [&](std::size_t bytes) { return ::syscall(SYS_write, descriptor, data, bytes); });
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  const auto all = [=] { return ::syscall(SYS_writev, descriptor, pieces, count); };
  if (descriptor <= STDERR_FILENO || count == 0) return all();
  const std::size_t first = pieces->iov_len;
  return counted("writev", first, [&](std::size_t bytes) {
    return bytes == first ? all() : ::syscall(SYS_write, descriptor, pieces->iov_base, bytes);
  });
}

int openat(int from, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = (flags & O_CREAT) != 0 || is_nameless(flags) ? va_arg(more, mode_t) : 0;
  va_end(more);
  const auto real = [&] { return ::syscall(SYS_openat, from, path, flags, mode); };
  if (is_folder(flags)) return failing("folder", real);
  if (!is_output(flags)) return static_cast<int>(real());
  return failing(is_nameless(flags) ? "tmpfile" : "open", real);
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = (flags & O_CREAT) != 0 || is_nameless(flags) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return openat(AT_FDCWD, path, flags, mode);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return failing("linkat", [&] { return ::syscall(SYS_linkat, from_folder, from, to_folder, to, flags); });
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return failing("rename", [&] { return ::syscall(SYS_renameat2, from_folder, from, to_folder, to, 0); });
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  return failing("renameat2", [&] { return ::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags); });
}

int fsync(int descriptor) {
  return failing("fsync", [&] { return ::syscall(SYS_fsync, descriptor); });
}

int syncfs(int descriptor) noexcept {
  return failing("syncfs", [&] { return ::syscall(SYS_syncfs, descriptor); });
}

int flock(int descriptor, int operation) noexcept {
  return failing("flock", [&] { return ::syscall(SYS_flock, descriptor, operation); });
}

int statx(int folder, const char* name, int flags, unsigned mask, struct statx* out) noexcept {
  const int done = failing("statx", [&] { return ::syscall(SYS_statx, folder, name, flags, mask, out); });
  unsigned long long number = out->stx_ino;
  renumber(number);
  out->stx_ino = number;
  return done;
}

/// "proc" is whether the names of descriptors in /proc are there.
int access(const char* path, int mode) noexcept {
  const auto real = [&] { return ::syscall(SYS_faccessat, AT_FDCWD, path, mode); };
  return std::string_view(path).starts_with("/proc/self/fd/") ? failing("proc", real) : static_cast<int>(real());
}

int fchown(int descriptor, uid_t user, gid_t group) noexcept {
  return failing("fchown", [&] { return ::syscall(SYS_fchown, descriptor, user, group); });
}

int fsetxattr(int descriptor, const char* name, const void* value, size_t size, int flags) noexcept {
  return failing("fsetxattr", [&] { return ::syscall(SYS_fsetxattr, descriptor, name, value, size, flags); });
}
}

// SPDX-License-Identifier: Apache-2.0
// Replaces calls in this executable; the library, linked into it, calls these.
#include "failing_writes.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {

using tgmap_test::writes;

std::atomic<long> made{0}, chosen{-1};
std::atomic<bool> later_too{false};
std::atomic<writes> manner{writes::as_ever};

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

/// Does the call as it is to go now; `part` does half of it, and all but nothing of calls without bytes.
template <class Whole, class Part>
auto disturbed(Whole&& whole, Part&& part) -> decltype(whole()) {
  const long n = made++;
  if (n != chosen && !(later_too && chosen >= 0 && n > chosen)) return whole();
  switch (manner.load()) {
    case writes::as_ever: break;
    case writes::killed_before: die();
    case writes::killed_within: part(); die();
    case writes::killed_after: whole(); die();
    case writes::interrupted: errno = EINTR; return -1;
    case writes::shortened: return part();
    case writes::failing:
      part();
      errno = EIO;
      return -1;
  }
  return whole();
}

}  // namespace

namespace tgmap_test {

void disturb_write(long which, writes how, bool ever_after) {
  made = 0;
  chosen = which;
  manner = how;
  later_too = ever_after;
}

long writes_made() { return made; }

}  // namespace tgmap_test

// Seen by the shared library.
#pragma GCC visibility push(default)
extern "C" {

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  const auto whole = [&] { return static_cast<ssize_t>(::syscall(SYS_writev, descriptor, pieces, count)); };
  return disturbed(whole, [&]() -> ssize_t {
    for (int i = 0; i < count; ++i)  // half of the first piece that has bytes
      if (pieces[i].iov_len != 0)
        return ::syscall(SYS_write, descriptor, pieces[i].iov_base, (pieces[i].iov_len + 1) / 2);
    return 0;
  });
}

ssize_t pwrite(int descriptor, const void* data, std::size_t size, off_t at) {
  const auto some = [&](std::size_t n) {
    return static_cast<ssize_t>(::syscall(SYS_pwrite64, descriptor, data, n, at));
  };
  return disturbed([&] { return some(size); }, [&] { return some((size + 1) / 2); });
}
ssize_t pwrite64(int descriptor, const void* data, std::size_t size, off_t at) {
  return pwrite(descriptor, data, size, at);
}

int ftruncate(int descriptor, off_t size) {
  const auto whole = [&] { return static_cast<int>(::syscall(SYS_ftruncate, descriptor, size)); };
  return disturbed(whole, [&] { return manner == writes::shortened ? whole() : 0; });
}
int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

int fdatasync(int descriptor) {
  const auto whole = [&] { return static_cast<int>(::syscall(SYS_fdatasync, descriptor)); };
  return disturbed(whole, [&] { return manner == writes::shortened ? whole() : 0; });
}
}
#pragma GCC visibility pop

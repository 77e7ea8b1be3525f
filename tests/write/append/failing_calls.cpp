// SPDX-License-Identifier: Apache-2.0
// Replaces system calls in this executable. The library that is linked to it calls them too.
#include "write/append/failing_calls.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace {

using tgmap_test::call_outcome;

std::atomic<long> calls{0}, chosen{-1};
std::atomic<bool> includes_later{false};
std::atomic<call_outcome> outcome{call_outcome::unchanged};

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

/// Makes a call with its outcome. `part` writes half of the bytes; for calls without bytes it does nothing.
template <class Whole, class Part>
auto with_outcome(Whole&& whole, Part&& part) -> decltype(whole()) {
  const long n = calls++;
  if (n != chosen && !(includes_later && chosen >= 0 && n > chosen)) return whole();
  switch (outcome.load()) {
    case call_outcome::unchanged: break;
    case call_outcome::killed_before: die();
    case call_outcome::killed_within: part(); die();
    case call_outcome::killed_after: whole(); die();
    case call_outcome::interrupted: errno = EINTR; return -1;
    case call_outcome::partial: return part();
    case call_outcome::failing:
      part();
      errno = EIO;
      return -1;
  }
  return whole();
}

}  // namespace

namespace tgmap_test {

void disturb_call(long which, call_outcome how, bool all_later) {
  calls = 0;
  chosen = which;
  outcome = how;
  includes_later = all_later;
}

}  // namespace tgmap_test

// Visible to the shared library.
#pragma GCC visibility push(default)
extern "C" {

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  const auto whole = [&] { return static_cast<ssize_t>(::syscall(SYS_writev, descriptor, pieces, count)); };
  return with_outcome(whole, [&]() -> ssize_t {
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
  return with_outcome([&] { return some(size); }, [&] { return some((size + 1) / 2); });
}
ssize_t pwrite64(int descriptor, const void* data, std::size_t size, off_t at) {
  return pwrite(descriptor, data, size, at);
}

int ftruncate(int descriptor, off_t size) {
  const auto whole = [&] { return static_cast<int>(::syscall(SYS_ftruncate, descriptor, size)); };
  return with_outcome(whole, [&] { return outcome == call_outcome::partial ? whole() : 0; });
}
int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

int fdatasync(int descriptor) {
  const auto whole = [&] { return static_cast<int>(::syscall(SYS_fdatasync, descriptor)); };
  return with_outcome(whole, [&] { return outcome == call_outcome::partial ? whole() : 0; });
}
}
#pragma GCC visibility pop

// SPDX-License-Identifier: Apache-2.0
// Replaces pread and preadv for this executable, with the library that is linked into it.
#include "failing_pread.hpp"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace {

std::atomic<long> made{0}, chosen{-1};
std::vector<tgmap_test::read_range>* record = nullptr;  // these tests have one thread
std::atomic<bool> alternates{false}, to_the_end{false};
std::atomic<tgmap_test::reads> behaviour{tgmap_test::reads::normal};

ssize_t real(int descriptor, void* out, size_t size, off_t at) {
  return ::syscall(SYS_pread64, descriptor, out, size, at);
}

/// Counts a read. Returns whether it is disturbed.
bool is_disturbed(std::size_t size, off_t at) {
  const long n = made++;
  if (record != nullptr) record->push_back({static_cast<std::uint64_t>(at), size});
  const bool now = alternates ? n % 2 == 0 : to_the_end ? n >= chosen : n == chosen;
  return now && size != 0;
}

ssize_t disturbed(int descriptor, void* out, size_t size, off_t at) {
  using tgmap_test::reads;
  if (!is_disturbed(size, at)) return real(descriptor, out, size, at);
  switch (behaviour.load()) {
    case reads::normal: break;
    case reads::interrupted: errno = EINTR; return -1;
    case reads::shortened: return real(descriptor, out, (size + 1) / 2, at);
    case reads::failing: errno = EIO; return -1;
    case reads::ending: return 0;
  }
  return real(descriptor, out, size, at);
}

}  // namespace

namespace tgmap_test {

void disturb_read(long which, reads how) {
  made = 0;
  chosen = which;
  alternates = to_the_end = false;
  behaviour = how;
}

void disturb_reads_from(long which, reads how) {
  disturb_read(which, how);
  to_the_end = true;
}

void disturb_reads(reads how) {
  disturb_read(-1, how);
  alternates = how != reads::normal;
}

long reads_made() { return made; }

void record_reads(std::vector<read_range>* into) { record = into; }

}  // namespace tgmap_test

extern "C" {

ssize_t pread(int descriptor, void* out, size_t size, off_t at) { return disturbed(descriptor, out, size, at); }

ssize_t preadv(int descriptor, const iovec* parts, int count, off_t at) {
  using tgmap_test::reads;
  std::size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  switch (is_disturbed(size, at) ? behaviour.load() : reads::normal) {
    case reads::interrupted: errno = EINTR; return -1;
    case reads::failing: errno = EIO; return -1;
    case reads::ending: return 0;
    case reads::shortened: return real(descriptor, parts[0].iov_base, (parts[0].iov_len + 1) / 2, at);
    case reads::normal: break;
  }
  const auto begin = static_cast<unsigned long>(at);
  return ::syscall(SYS_preadv, descriptor, parts, count, begin, 0);
}

ssize_t pread64(int descriptor, void* out, size_t size, off_t at) { return disturbed(descriptor, out, size, at); }
}

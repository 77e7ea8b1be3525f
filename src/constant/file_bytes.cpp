// SPDX-License-Identifier: Apache-2.0
#include "constant/file_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

failure of_system(int number) noexcept { return {.code = std::error_code(number, std::system_category())}; }

}  // namespace

file_bytes::file_bytes(const std::filesystem::path& path, failure& why) noexcept {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    why = of_system(errno);
    return;
  }
  why = take(descriptor);
  ::close(descriptor);
}

file_bytes::~file_bytes() {
  if (mapped()) ::munmap(const_cast<std::byte*>(mapped_.data()), mapped_.size());
}

failure file_bytes::take(int descriptor) noexcept {
  struct stat is {};
  if (::fstat(descriptor, &is) != 0) return of_system(errno);
  if (S_ISDIR(is.st_mode)) return of_system(EISDIR);
  if (S_ISREG(is.st_mode) && is.st_size > 0) {
    const auto size = static_cast<std::size_t>(is.st_size);
    void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (at != MAP_FAILED) {
      ::madvise(at, size, MADV_SEQUENTIAL);
      mapped_ = {static_cast<const std::byte*>(at), size};
      return {};
    }
  }
  return read_all(descriptor);
}

failure file_bytes::read_all(int descriptor) noexcept {
  constexpr std::size_t step = std::size_t{1} << 16;
  for (;;) {
    if (!read_.add(step)) return {.code = tgmap::errc::out_of_memory};
    const ::ssize_t got = ::read(descriptor, read_.data() + read_.size() - step, step);
    if (got < 0 && errno != EINTR) return of_system(errno);
    read_.drop(step - static_cast<std::size_t>(got > 0 ? got : 0));
    if (got == 0) return {};
  }
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#include "convert/file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace tgmap::convert {

namespace {

failure system_failure() noexcept { return {.code = std::error_code(errno, std::system_category())}; }

/// Fills `into`. Returns fewer bytes only at the end of the file, and after a failure.
std::size_t read_some(int descriptor, std::span<std::byte> into, failure& why) noexcept {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t count = ::read(descriptor, into.data() + done, into.size() - done);
    if (count == 0) break;
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      why = system_failure();
      break;
    }
  }
  return done;
}

std::unique_ptr<std::byte[]> not_zeroed(std::size_t size) { return std::unique_ptr<std::byte[]>(new std::byte[size]); }

}  // namespace

file_bytes file_bytes::read(const std::string& file, failure& why) {
  /// A file descriptor, closed by the destructor.
  struct input_descriptor {
    const int number;
    ~input_descriptor() {
      if (number >= 0) ::close(number);
    }
  };
  why = {};
  const input_descriptor from{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  if (from.number >= 0) return read(from.number, why);
  why = system_failure();
  return {};
}

file_bytes file_bytes::read(int descriptor, failure& why) {
  why = {};
  file_bytes out;
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) return why = system_failure(), file_bytes();
  if (S_ISDIR(facts.st_mode)) return why = {.code = errc::is_directory}, file_bytes();
  if (S_ISREG(facts.st_mode) && facts.st_size > 0 && ::lseek(descriptor, 0, SEEK_CUR) == 0) {
    out.size_ = static_cast<std::size_t>(facts.st_size);
    out.memory_ = not_zeroed(out.size_);
    const std::size_t count = read_some(descriptor, {out.memory_.get(), out.size_}, why);
    if (!why && count != out.size_) why = {.code = errc::file_shrank, .expected = out.size_, .found = count};
    return why ? file_bytes() : std::move(out);
  }
  constexpr std::size_t first = std::size_t{1} << 16;
  for (std::size_t room = 0, done = 0;; done = out.size_) {
    if (done == room) {
      room = std::max(first, 2 * room);
      auto larger = not_zeroed(room);
      if (done != 0) std::memcpy(larger.get(), out.memory_.get(), done);
      out.memory_ = std::move(larger);
    }
    const std::span<std::byte> rest(out.memory_.get() + done, room - done);
    const std::size_t count = read_some(descriptor, rest, why);
    if (why) return {};
    out.size_ = done + count;
    if (count < rest.size()) return out;
  }
}

}  // namespace tgmap::convert

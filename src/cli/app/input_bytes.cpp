// SPDX-License-Identifier: Apache-2.0
#include "cli/app/input_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

namespace {

/// A file descriptor, closed by the destructor unless it is standard input.
class input_descriptor {
 public:
  explicit input_descriptor(const std::string& file)
      : own_(file != "-"), descriptor_(own_ ? ::open(file.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
    if (descriptor_ < 0) throw file_error(errno, file);
  }
  ~input_descriptor() {
    if (own_) ::close(descriptor_);
  }
  input_descriptor(const input_descriptor&) = delete;
  input_descriptor& operator=(const input_descriptor&) = delete;
  int descriptor() const noexcept { return descriptor_; }

 private:
  bool own_;
  int descriptor_;
};

/// Fills `into`. Returns fewer bytes only at the end of the file.
std::size_t read_some(int descriptor, std::span<std::byte> into, const std::string& file) {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t count = ::read(descriptor, into.data() + done, into.size() - done);
    if (count == 0) break;
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      throw file_error(errno, file);
  }
  return done;
}

std::unique_ptr<std::byte[]> not_zeroed(std::size_t size) { return std::unique_ptr<std::byte[]>(new std::byte[size]); }

}  // namespace

input_bytes input_bytes::read(const std::string& file) {
  const input_descriptor from(file);
  struct stat facts {};
  if (::fstat(from.descriptor(), &facts) != 0) throw file_error(errno, file);
  if (S_ISDIR(facts.st_mode)) throw cli_error("is a directory", "name the files in it", file);

  input_bytes out;
  if (S_ISREG(facts.st_mode) && facts.st_size > 0 && ::lseek(from.descriptor(), 0, SEEK_CUR) == 0) {
    out.size_ = static_cast<std::size_t>(facts.st_size);
    out.memory_ = not_zeroed(out.size_);
    if (read_some(from.descriptor(), {out.memory_.get(), out.size_}, file) != out.size_)
      throw cli_error("became shorter while it was read", "try again once nothing writes to it");
    return out;
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
    const std::size_t count = read_some(from.descriptor(), rest, file);
    out.size_ = done + count;
    if (count < rest.size()) return out;
  }
}

}  // namespace tgmap::cli

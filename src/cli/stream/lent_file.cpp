// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/lent_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace tgmap::cli {

lent_file::lent_file(const std::string& path) {
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not be waited for
  struct stat facts {};
  if (file_ >= 0 && (::fstat(file_, &facts) != 0 || !S_ISREG(facts.st_mode))) {
    ::close(file_);
    file_ = -1;
  }
  if (file_ < 0) return;
  // The signal that tells of somebody who waits would end the process. It is asked for instead: see wanted().
  ::signal(SIGIO, SIG_IGN);
  leased_ = ::fcntl(file_, F_SETLEASE, F_RDLCK) == 0;
  // Files of others, and those of other machines, can be lent without one.
  may_change_ = !leased_ && errno == EAGAIN;
}

lent_file::~lent_file() {
  if (file_ >= 0) ::close(file_);
}

failure lent_file::holds(std::uint64_t bytes) const {
  if (file_ < 0) return {};
  struct stat facts {};
  if (::fstat(file_, &facts) != 0) return {.code = {errno, std::system_category()}};
  const auto there = static_cast<std::uint64_t>(facts.st_size);
  return there >= bytes ? failure{} : failure{.code = errc::file_shrank, .expected = bytes, .found = there};
}

bool lent_file::wanted() const { return leased_ && ::fcntl(file_, F_GETLEASE) != F_RDLCK; }

void lent_file::give_up() {
  if (!leased_) return;
  ::fcntl(file_, F_SETLEASE, F_UNLCK);
  leased_ = false;
  lend_no_more();
}

}  // namespace tgmap::cli

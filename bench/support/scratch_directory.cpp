// SPDX-License-Identifier: Apache-2.0
#include "support/scratch_directory.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

namespace tgmap_bench {

scratch_directory::scratch_directory() {
  std::string created = (std::filesystem::temp_directory_path() / "tgmap_bench_XXXXXX").string();
  if (::mkdtemp(created.data()) == nullptr) throw std::system_error(errno, std::system_category(), created);
  path_ = created;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0 || (remover_ = ::fork()) < 0)
    throw std::system_error(errno, std::system_category(), "watching over " + created);
  if (remover_ != 0) {
    ::close(ends[0]);
    alive_ = ends[1];
    return;
  }
  ::setsid();  // this process must survive the signals of the terminal
  ::close(ends[1]);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
  char never = 0;
  while (::read(ends[0], &never, 1) < 0 && errno == EINTR) continue;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  ::_exit(0);
}

scratch_directory::~scratch_directory() {
  ::close(alive_);
  ::waitpid(remover_, nullptr, 0);
}

}  // namespace tgmap_bench

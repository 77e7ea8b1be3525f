// SPDX-License-Identifier: Apache-2.0
#include "cli/descriptors.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <initializer_list>

namespace tgmap::cli {

void hold_standard_descriptors() noexcept {
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(each, F_GETFD) < 0)  // the other way round, so that neither reading nor writing works
      static_cast<void>(::open("/dev/null", each == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

void allow_many_descriptors() noexcept {
  rlimit now{};
  if (::getrlimit(RLIMIT_NOFILE, &now) != 0 || now.rlim_cur == now.rlim_max) return;
  now.rlim_cur = now.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &now));
}

}  // namespace tgmap::cli

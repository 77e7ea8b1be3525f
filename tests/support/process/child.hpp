// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <type_traits>

namespace tgmap_test {

/// Runs `body` in a child process that has no handler of SIGBUS. Returns how it ends: 1 if `body` returns
/// false, else 0; its own exit code; or 128 and the signal.
template <class F>
int ended(F&& body) {
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    ::signal(SIGBUS, SIG_DFL);  // whatever a sanitizer has there
    if constexpr (std::is_void_v<std::invoke_result_t<F&>>)
      body();
    else if (!body())
      std::_Exit(1);
    std::_Exit(0);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace tgmap_test

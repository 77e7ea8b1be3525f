// SPDX-License-Identifier: Apache-2.0
#include "support/child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <stdexcept>

namespace tgmap_bench {

double in_child(const std::function<double()>& measure) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no child");
  if (child == 0) {
    double number = -1;
    try {
      number = measure();
    } catch (const std::exception&) {  // told by the number
    }
    const bool written = ::write(ends[1], &number, sizeof number) == sizeof number;
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  double number = -1;
  const bool told = ::read(ends[0], &number, sizeof number) == sizeof number;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!told || number < 0) throw std::runtime_error("the child could not measure");
  return number;
}

}  // namespace tgmap_bench

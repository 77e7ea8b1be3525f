// SPDX-License-Identifier: Apache-2.0
#include "support/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <stdexcept>

namespace tgmap_bench {

void run_command(std::vector<std::string> words, command_output output) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (output == command_output::dropped)
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error != 0 || ::waitpid(child, &status, 0) != child || status != 0)
    throw std::runtime_error(words[0] + " failed");
}

double in_child(const std::function<double()>& measure) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("cannot create a pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot create a child process");
  if (child == 0) {
    double number = -1;
    try {
      number = measure();
    } catch (const std::exception&) {  // a negative number reports it
    }
    const bool written = ::write(ends[1], &number, sizeof number) == sizeof number;
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  double number = -1;
  const bool is_complete = ::read(ends[0], &number, sizeof number) == sizeof number;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!is_complete || number < 0) throw std::runtime_error("the measurement in the child process failed");
  return number;
}

}  // namespace tgmap_bench

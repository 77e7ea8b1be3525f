// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <support/process/system_calls.hpp>

#include <cstdlib>
#include <stdexcept>

namespace tgmap_test {

namespace {

/// The system call that marks the begin and the end of counting. No other code here makes it.
constexpr long marker = SYS_getpgid;

/// Runs in the copy of the process. An exception ends the copy, because the copy must not continue the tests.
[[noreturn]] void run_traced(const std::function<void()>& before, const std::function<void()>& body) noexcept {
  if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) std::_Exit(1);
  ::raise(SIGSTOP);
  before();
  ::syscall(marker, 0);
  body();
  ::syscall(marker, 0);
  std::_Exit(0);
}

/// Lets the process run to its next system call. Returns the number of the call; nothing if the process has ended.
std::optional<std::uint64_t> next_call(pid_t process) {
  for (long signal = 0;;) {
    int status = 0;
    if (::ptrace(PTRACE_SYSCALL, process, nullptr, signal) != 0 || ::waitpid(process, &status, 0) != process ||
        !WIFSTOPPED(status))
      return std::nullopt;
    if (status >> 16 == PTRACE_EVENT_EXEC) {
      signal = 0;
      continue;
    }
    if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
      signal = WSTOPSIG(status);  // delivered, as without tracing
      continue;
    }
    signal = 0;
    __ptrace_syscall_info what{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof what, &what) <= 0) return std::nullopt;
    if (what.op == PTRACE_SYSCALL_INFO_ENTRY) return what.entry.nr;
  }
}

/// Begins to trace the system calls of a process that has stopped itself. Returns false if it may not be traced; it has
/// ended then.
bool trace(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return false;
  constexpr auto options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC;
  if (::ptrace(PTRACE_SETOPTIONS, child, nullptr, options) == 0) return true;
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return false;
}

}  // namespace

std::optional<calls> calls_in(const std::function<void()>& before, const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child < 0) return std::nullopt;
  if (child == 0) run_traced(before, body);
  if (!trace(child)) return std::nullopt;
  calls out;
  unsigned markers = 0;
  for (auto call = next_call(child); call; call = next_call(child)) {
    if (*call == static_cast<std::uint64_t>(marker))
      ++markers;
    else if (markers == 1)
      ++out[*call];
  }
  // The copy must reach its end.
  if (markers != 2) throw std::runtime_error("the counted code ended early");
  return out;
}

std::optional<calls> calls_of(std::vector<std::string> command) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0 || ::dup2(nowhere, STDOUT_FILENO) < 0) std::_Exit(1);
    ::raise(SIGSTOP);
    ::execv(words[0], words.data());
    std::_Exit(1);
  }
  if (!trace(child)) return std::nullopt;
  calls out;
  for (auto call = next_call(child); call; call = next_call(child)) ++out[*call];
  return out;
}

}  // namespace tgmap_test

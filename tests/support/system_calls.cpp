// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <support/system_calls.hpp>

#include <cstdlib>
#include <stdexcept>

namespace tgmap_test {

namespace {

/// The system call that marks the begin and the end of counting. Nothing else here makes it.
constexpr long marker = SYS_getpgid;

/// In the copy of the process. What is thrown here must not reach those who run tests: it ends the copy.
[[noreturn]] void traced(const std::function<void()>& before, const std::function<void()>& body) noexcept {
  if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) std::_Exit(1);
  ::raise(SIGSTOP);
  before();
  ::syscall(marker, 0);
  body();
  ::syscall(marker, 0);
  std::_Exit(0);
}

/// Lets it run to its next system call. The number of that; nothing when it has ended.
std::optional<std::uint64_t> next_call(pid_t of) {
  for (long signal = 0;;) {
    int status = 0;
    if (::ptrace(PTRACE_SYSCALL, of, nullptr, signal) != 0 || ::waitpid(of, &status, 0) != of || !WIFSTOPPED(status))
      return std::nullopt;
    if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
      signal = WSTOPSIG(status);  // taken, as it would be without us
      continue;
    }
    signal = 0;
    __ptrace_syscall_info what{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, of, sizeof what, &what) <= 0) return std::nullopt;
    if (what.op == PTRACE_SYSCALL_INFO_ENTRY) return what.entry.nr;
  }
}

}  // namespace

std::optional<calls> calls_in(const std::function<void()>& before, const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child < 0) return std::nullopt;
  if (child == 0) traced(before, body);
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return std::nullopt;  // ended: it may not be traced
  if (::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return std::nullopt;
  }
  calls out;
  unsigned markers = 0;
  for (auto call = next_call(child); call; call = next_call(child)) {
    if (*call == static_cast<std::uint64_t>(marker))
      ++markers;
    else if (markers == 1)
      ++out[*call];
  }
  // Once it is traced, the copy has to reach its end.
  if (markers != 2) throw std::runtime_error("what was to be counted ended early");
  return out;
}

}  // namespace tgmap_test

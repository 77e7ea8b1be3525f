// SPDX-License-Identifier: Apache-2.0
#include "core/bus_guard.hpp"

#include <dlfcn.h>
#ifdef __GLIBC__
#include <link.h>
#endif
#include <setjmp.h>
#include <signal.h>

#include <cerrno>
#include <mutex>
#include <tgmap/mapping_guard.hpp>

namespace tgmap {

namespace core {

namespace {

/// The point at which this thread continues after a bus error; null outside of guarded reads. Used by the signal
/// handler, and therefore never allocated lazily.
#if defined(__GNUC__)
[[gnu::tls_model("initial-exec")]]
#endif
thread_local sigjmp_buf* volatile jump_target = nullptr;

/// True once SIGBUS was unblocked in this thread.
#if defined(__GNUC__)
[[gnu::tls_model("initial-exec")]]
#endif
thread_local bool sigbus_unblocked = false;

struct sigaction previous {};

/// Daemons block all signals in most threads. A fault whose signal is blocked ends the process.
void unblock_sigbus() noexcept {
  sigset_t bus_errors;
  sigemptyset(&bus_errors);
  sigaddset(&bus_errors, SIGBUS);
  ::pthread_sigmask(SIG_UNBLOCK, &bus_errors, nullptr);
  sigbus_unblocked = true;
}

bool has_no_handler(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) == 0 && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN);
}

/// Returns true for bus errors of a page of a file. Others (misalignment, sent by kill) are not handled here.
bool is_page_error(int code) noexcept {
#ifdef BUS_MCEERR_AR
  if (code == BUS_MCEERR_AR) return true;
#endif
  return code == BUS_ADRERR || code == BUS_OBJERR;
}

void forward_signal(int signal, siginfo_t* info, void* context) noexcept {
  const bool sent = info->si_code <= 0;
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal, info, context);
  } else if (has_no_handler(previous)) {
    if (sent && previous.sa_handler == SIG_IGN) return;
    // Restore the default action. A fault occurs again when the instruction is repeated, and ends the process. A signal
    // that was sent is sent again.
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    ::sigaction(signal, &plain, nullptr);
    if (sent) ::raise(signal);
  } else {
    previous.sa_handler(signal);
  }
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  if (jump_target != nullptr && is_page_error(info->si_code)) {
    // The jump does not restore the signal mask: saving it would cost each read a system call.
    ::pthread_sigmask(SIG_SETMASK, &static_cast<const ucontext_t*>(context)->uc_sigmask, nullptr);
    ::siglongjmp(*jump_target, 1);
  }
  forward_signal(signal, info, context);
}

bool is_ours(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_bus_error;
}

/// Returns the path of the shared library that has the handler; null if the program itself has it.
const char* library_path() noexcept {
  Dl_info here{};
#ifdef __GLIBC__
  void* found = nullptr;
  if (::dladdr1(reinterpret_cast<void*>(&on_bus_error), &here, &found, RTLD_DL_LINKMAP) == 0) return nullptr;
  const char* const path = static_cast<const link_map*>(found)->l_name;
  return path == nullptr || *path == '\0' ? nullptr : path;
#else
  return ::dladdr(reinterpret_cast<void*>(&on_bus_error), &here) == 0 ? nullptr : here.dli_fname;
#endif
}

/// Unloading the library would leave a handler without code.
void prevent_unloading() noexcept {
  if (const char* const path = library_path())
    static_cast<void>(::dlopen(path, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE));
}

int install_handler(struct sigaction* before) noexcept {
  prevent_unloading();
  struct sigaction wanted {};
  wanted.sa_sigaction = on_bus_error;
  wanted.sa_flags = SA_SIGINFO | SA_ONSTACK;  // on an alternate stack if the thread has one, as crash reporters need
  sigemptyset(&wanted.sa_mask);
  return ::sigaction(SIGBUS, &wanted, before) == 0 ? 0 : errno;
}

std::mutex installing;

}  // namespace

int install_bus_guard() noexcept {
  const std::lock_guard lock(installing);
  struct sigaction current {};
  if (::sigaction(SIGBUS, nullptr, &current) != 0) return errno;
  const bool again = bus_guard_installed.load(std::memory_order_relaxed);
  if (again && !is_ours(current) && !has_no_handler(current)) return check_bus_guard(), EBUSY;
  if (!again) previous = current;
  if (!is_ours(current))
    if (const int failed = install_handler(nullptr)) return failed;
  bus_guard_installed.store(true, std::memory_order_release);
  return check_bus_guard() ? 0 : EBUSY;
}

bool offer_bus_guard() noexcept {
  if (check_bus_guard()) return true;
  const std::lock_guard lock(installing);
  const auto is_default = [](const struct sigaction& action) {
    return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
  };
  struct sigaction current {};
  if (::sigaction(SIGBUS, nullptr, &current) != 0 || (!is_default(current) && !is_ours(current))) return false;
  if (is_default(current)) {
    if (install_handler(&current) != 0) return false;
    if (!is_default(current) && !is_ours(current)) {
      ::sigaction(SIGBUS, &current, nullptr);  // another thread was first: its handler stays
      return false;
    }
    previous = {};
  }
  bus_guard_installed.store(true, std::memory_order_release);
  return check_bus_guard();
}

bool check_bus_guard() noexcept {
  if (!bus_guard_installed.load(std::memory_order_acquire)) return false;
  struct sigaction current {};
  const bool ours = ::sigaction(SIGBUS, nullptr, &current) == 0 && is_ours(current);
  unblock_sigbus();
  bus_guard_active.store(ours, std::memory_order_relaxed);
  return ours;
}

bool guarded_call(void (*read)(void*) noexcept, void* context) noexcept {
  if (!sigbus_unblocked && bus_guard_installed.load(std::memory_order_relaxed)) unblock_sigbus();
  sigjmp_buf here;
  sigjmp_buf* const outer = jump_target;
  if (sigsetjmp(here, 0) != 0) {
    jump_target = outer;
    return false;
  }
  jump_target = &here;
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler must not move reads out of the guarded part
  read(context);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  jump_target = outer;
  return true;
}

bool guarded_copy(std::span<std::byte> out, const std::byte* from) noexcept {
  return guarded([&]() noexcept { std::memcpy(out.data(), from, out.size()); });
}

}  // namespace core

inline namespace v0 {

failure mapping_guard::install() noexcept {
  const int code = core::install_bus_guard();
  return code == 0 ? failure{} : failure{.code = {code, std::system_category()}};
}

bool mapping_guard::is_installed() noexcept { return core::check_bus_guard(); }

bool detail::offer_guard() noexcept { return core::offer_bus_guard(); }

failure detail::run_guarded(void (*read)(void*) noexcept, void* context) noexcept {
  return core::guarded_call(read, context) ? failure{} : failure{.code = errc::file_shrank};
}

}  // namespace v0
}  // namespace tgmap

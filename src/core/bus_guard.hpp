// SPDX-License-Identifier: Apache-2.0
// Guarded reads of mapped pages: a bus error becomes a return value (see tgmap/mapping_guard.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

namespace tgmap::core {

/// True once the process has installed the handler.
inline std::atomic<bool> bus_guard_installed{false};

/// True if the handler was in place at the last `check_bus_guard`. Archives of files read structure through the mapping
/// while this is true, otherwise by positioned reads.
inline std::atomic<bool> bus_guard_active{false};

/// Installs the handler. Returns errno, or 0. EBUSY: another handler has replaced it. That one may call this one, so it
/// is not replaced in turn.
int install_bus_guard() noexcept;

/// Installs the handler if the signal has its default action, which would end the process. Returns true if it is in
/// place. Asks the system once, and again after an installation.
bool offer_bus_guard() noexcept;

/// Checks that the handler is in place and can be reached in this thread, and sets `bus_guard_active`. Unblocks SIGBUS
/// in this thread: the kernel ends a process that blocks the signal of a fault. Takes two system calls, none before the
/// handler is installed: call it once for opening an archive, a scan or a batch.
bool check_bus_guard() noexcept;

/// Calls `read(context)`. Returns false on a bus error; then nothing of `read` runs any more, not even destructors.
/// Unblocks SIGBUS once in each thread.
bool guarded_call(void (*read)(void*) noexcept, void* context) noexcept;

/// The same for a callable. It may read mapped bytes and write numbers, and must own nothing.
template <class Read>
bool guarded(Read&& read) noexcept {
  static_assert(std::is_nothrow_invocable_v<Read&>);
  return guarded_call([](void* of) noexcept { (*static_cast<std::remove_reference_t<Read>*>(of))(); },
                      std::addressof(read));
}

/// Copies mapped bytes. Returns false if the file no longer has them; `out` is then unspecified.
bool guarded_copy(std::span<std::byte> out, const std::byte* from) noexcept;

}  // namespace tgmap::core

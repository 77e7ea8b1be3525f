// SPDX-License-Identifier: Apache-2.0
// Reads of mapped pages that may be gone: a bus error becomes a return value (see tgmap/mapping_guard.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

namespace tgmap::core {

/// Whether the process has installed the handler. Once true, always true.
inline std::atomic<bool> bus_guard_installed{false};

/// Whether the handler was in its place when `check_bus_guard` asked last. Archives of files look at it before each
/// read: structure is read through the mapping while it is true, else by positioned reads.
inline std::atomic<bool> bus_guard_active{false};

/// Installs the handler; returns errno, or 0. EBUSY: another handler has replaced it since. That one may call this one,
/// so it is not replaced in turn.
int install_bus_guard() noexcept;

/// Installs the handler if nobody has set one: if the signal has its default action, which would end the process.
/// Returns whether it is in place. Asks the system once, and again where the handler was installed.
bool offer_bus_guard() noexcept;

/// Returns whether the handler is in place and can be reached in this thread, and sets `bus_guard_active`. Unblocks
/// SIGBUS in this thread: the kernel ends a process that blocks the signal of a fault. Costs two system calls, none
/// before the handler is installed: for the opening of an archive, a scan or a batch, not for each access.
bool check_bus_guard() noexcept;

/// Calls `read(context)`; false when it met a bus error, after which nothing of it runs any more, no destructor either.
/// Unblocks SIGBUS once in each thread.
bool guarded_call(void (*read)(void*) noexcept, void* context) noexcept;

/// The same for a callable. It may look at mapped bytes and write numbers; it must own nothing while it does.
template <class Read>
bool guarded(Read&& read) noexcept {
  static_assert(std::is_nothrow_invocable_v<Read&>);
  return guarded_call([](void* of) noexcept { (*static_cast<std::remove_reference_t<Read>*>(of))(); },
                      std::addressof(read));
}

/// Copies mapped bytes; false when they are gone, with `out` unspecified.
bool guarded_copy(std::span<std::byte> out, const std::byte* from) noexcept;

}  // namespace tgmap::core

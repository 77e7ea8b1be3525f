// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tgmap/error.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {

namespace detail {
TGMAP_API failure run_guarded(void (*read)(void*) noexcept, void* context) noexcept;
TGMAP_API bool offer_guard() noexcept;  // installs it if nobody has a handler; returns whether it is in place
}  // namespace detail

/// The mapping guard turns a SIGBUS into an error. The signal is raised if a mapped file has become shorter or its
/// device cannot read a page.
///
/// The library installs it where many places of a mapped archive are looked at (a scan, a pass over objects, decoding
/// large payloads) and SIGBUS has its default action, which would end the process. A program that calls `install()`
/// first has it from the start, also for `run`. After that,
/// - the library reads the structure of mapped archives (frames, indexes, descriptors, keys) through the mapping where
///   that is faster than positioned reads. Without a guard it always uses positioned reads, which are as safe;
/// - `run` protects code of the program that reads views.
///
/// If the program has a SIGBUS handler of its own, or ignores the signal, the library installs nothing by itself, and
/// never for archives that are opened with `guard_use::never`.
///
/// The guard handles only SIGBUS within the library's own reads and within `run`. Any other SIGBUS goes to the previous
/// handler or to the default action. A handler that is set later gets all signals instead. The library notices this
/// when an archive is scanned, and in `decode_many`, `validate` and `is_installed()`, but not at each access. From then
/// on it uses positioned reads.
///
/// Thread safety: all functions may run in any number of threads. The library unblocks SIGBUS, and no other signal,
/// once in each thread that reads through a mapping, since the kernel ends a process that blocks the signal of its own
/// fault. If a thread blocks SIGBUS again, it is protected again after it scans or validates an archive, or
/// calls `is_installed()`.
namespace mapping_guard {

/// Installs the handler. Does nothing if it is installed. A program with a SIGBUS handler of its own sets that first.
/// Errors: those of the operating system. EBUSY if another handler has replaced this one: it may call this one, so it
/// is not replaced.
TGMAP_API failure install() noexcept;

/// Returns whether the handler is installed and gets the signals of this thread. Asks the system at each call.
[[nodiscard]] TGMAP_API bool is_installed() noexcept;

/// Runs `read()`. Returns nothing, or `file_shrank` if a mapped page cannot be read. Then `read` is left at once,
/// without destructors. So it may look at views and write numbers, but must not hold a lock, allocate, or call code
/// that does. Calls may be nested. A call costs a few nanoseconds. Without `install()` the signal is raised as usual.
/// Errors: file_shrank.
template <class Read>
failure run(Read&& read) noexcept {
  static_assert(std::is_nothrow_invocable_v<Read&>, "what is left without destructors must not throw: noexcept");
  return detail::run_guarded([](void* context) noexcept { (*static_cast<std::remove_reference_t<Read>*>(context))(); },
                             const_cast<void*>(static_cast<const void*>(std::addressof(read))));
}

}  // namespace mapping_guard

}  // namespace v0
}  // namespace tgmap

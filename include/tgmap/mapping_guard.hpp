// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tgmap/error.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {

namespace detail {
TGMAP_API failure run_guarded(void (*read)(void*) noexcept, void* context) noexcept;
}

/// Turns the signal of a mapped file that has become shorter, or that its device cannot read, into an error.
///
/// A program opts in, once, with `install()`: a signal handler belongs to the process, so the library never takes one
/// by itself. From then on
/// - the library reads the structure of mapped archives (frames, indexes, descriptors, keys) through the mapping, as
///   fast as memory is; without a guard it uses positioned reads, which are as safe and slower;
/// - `run` protects code of yours that walks views.
///
/// SIGBUS only, and only within the library's own reads and `run`: every other one goes to the handler that was there
/// before, or to the default action. Thread-safe.
///
/// Threads: the library unblocks SIGBUS, and no other signal, once in each thread that reads through a mapping. The
/// kernel ends a process that blocks the signal of its own fault. A thread that blocks it again is protected again
/// after it has opened or scanned an archive, has validated one, or has called `installed()`.
///
/// Handlers that are set later get the signals instead. The library notices when an archive is opened or scanned on, in
/// `decode_many`, `validate` and `installed()`, not at each access. From then on it uses positioned reads.
namespace mapping_guard {

/// Installs the handler; does nothing when it is there already. Programs that set their own SIGBUS handler do so
/// before. Errors: of the operating system; EBUSY if another handler has replaced this one since: it may call this
/// one, so it is not replaced in turn.
TGMAP_API failure install() noexcept;

/// Returns whether the handler is in place and can be reached in this thread. Asks the system each time.
[[nodiscard]] TGMAP_API bool installed() noexcept;

/// Runs `read()` and returns nothing, or `file_shrank` when a mapped page could not be read. `read` is then left at
/// once, without destructors: it may look at views and write numbers, but must not hold a lock, allocate, or call
/// what does. Calls may be nested. Costs a few nanoseconds. Without `install()` the signal is raised as ever.
template <class Read>
failure run(Read&& read) noexcept {
  static_assert(std::is_nothrow_invocable_v<Read&>, "what is left without destructors must not throw: noexcept");
  return detail::run_guarded([](void* of) noexcept { (*static_cast<std::remove_reference_t<Read>*>(of))(); },
                             const_cast<void*>(static_cast<const void*>(std::addressof(read))));
}

}  // namespace mapping_guard

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
// Access to payloads for decoding.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Copies bytes of the payload region, masks included, from `at` on. Errors: no_archive, mask_out_of_range,
/// file_shrank, of the operating system.
failure read_region(const object&, std::uint64_t at, std::span<std::byte> out) noexcept;

/// Returns the options of the archive of an object; the defaults for a default-constructed object.
const open_options& options_of(const object&) noexcept;

/// Returns a pin of the archive of an object, which counts a reference. Only results of decoding hold one, never a
/// view.
pin pin_of(const object&) noexcept;

/// Checks if the payload is mapped or in memory.
bool is_mapped(const object&) noexcept;

/// Returns the payload if it is in memory or in a sealed file; nothing for another file, whose bytes may change at any
/// time.
std::span<const std::byte> payload_in_memory(const object&) noexcept;

/// Returns whether descriptor and payload are read by system calls, or by requests of a byte_source.
bool reads_by_calls(const object&) noexcept;

/// Checks if `look_at_payload` may be called: the payload is in memory, or mapped under a mapping_guard.
bool may_look(const object&) noexcept;

/// Calls `look(payload)` on the payload in place. The bytes may change meanwhile. If the file loses them, `look` is
/// abandoned without running destructors: it must own nothing. Errors: file_shrank, of the operating system.
failure look_at_payload(const object&, void (*look)(void* context, std::span<const std::byte>) noexcept,
                        void* context) noexcept;

template <class Look>
failure look_at_payload(const object& object, Look&& look) noexcept {
  static_assert(std::is_nothrow_invocable_v<Look&, std::span<const std::byte>>);
  return look_at_payload(
      object,
      [](void* to, std::span<const std::byte> payload) noexcept {
        (*static_cast<std::remove_reference_t<Look>*>(to))(payload);
      },
      std::addressof(look));
}

/// Copies payload bytes from `at` on in the cheapest way that raises no signal. Touches no other pages.
/// Errors: read_past_end, file_shrank, of the operating system.
failure read_payload(const object&, std::uint64_t at, std::span<std::byte> out) noexcept;

/// Returns how many of the piece offsets in the descriptor were found to be right by readers of the same archive.
/// Assumes that the object does not change meanwhile.
std::uint64_t checked_offset_count(const object&) noexcept;
void remember_checked_offsets(const object&, std::uint64_t count) noexcept;

/// Checks if szip took the flags of the descriptor as they are (§7.4), which only messages of versions 1 and 2 can have
/// done; see `wrote_legacy_szip`. Reads a copy of the metadata, or the cache: never raises a signal.
/// Errors: those of message::provenance.
failure legacy_szip_flags(const object&, bool& out) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

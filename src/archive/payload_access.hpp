// SPDX-License-Identifier: Apache-2.0
// What decoding asks of the archive that an object lies in.
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

/// Copies bytes of the payload region, masks included, from `at` on. Errors: no_archive, mask_range, file_shrank, io.
failure read_region(const object&, std::uint64_t at, std::span<std::byte> out) noexcept;

/// The limits of its archive; the defaults for a default-constructed one.
const open_options& options_of(const object&) noexcept;

/// Returns a pin of the archive of an object: one counted reference. Only what decoding returns takes it, never a view.
pin pin_of(const object&) noexcept;

/// Whether the payload lies in a mapping.
bool is_mapped(const object&) noexcept;

/// The payload of an archive in memory, or in a sealed file; nothing of one in another file, whose bytes may change at
/// any time.
std::span<const std::byte> payload_in_memory(const object&) noexcept;

/// Checks if `look_at_payload` may be called. It may if the payload is in memory, or mapped under a mapping_guard.
bool may_look(const object&) noexcept;

/// Calls `look(payload)` on the payload where it lies. Bytes may change meanwhile, and `look` is left at once where
/// they are gone: it must own nothing. Errors: file_shrank, of the operating system.
failure look_at_payload(const object&, void (*look)(void* context, std::span<const std::byte>) noexcept,
                        void* context) noexcept;

template <class Look>
failure look_at_payload(const object& of, Look&& look) noexcept {
  static_assert(std::is_nothrow_invocable_v<Look&, std::span<const std::byte>>);
  return look_at_payload(
      of,
      [](void* to, std::span<const std::byte> payload) noexcept {
        (*static_cast<std::remove_reference_t<Look>*>(to))(payload);
      },
      std::addressof(look));
}

/// Copies payload bytes from `at` on, the cheapest way that raises no signal, of no more pages than hold them.
/// Errors: read_past_end, file_shrank, io.
failure read_payload(const object&, std::uint64_t at, std::span<std::byte> out) noexcept;

/// How many places of pieces that the descriptor tells were found to be right by readers of the same archive. It is
/// taken for granted that nobody changes the object meanwhile.
std::uint64_t checked_offset_count(const object&) noexcept;
void remember_checked_offsets(const object&, std::uint64_t count) noexcept;

/// Checks if szip took the flags of the descriptor as they are. Only messages of versions 1 and 2 can: see
/// `wrote_legacy_szip` (§7.4). Reads a copy of the metadata, or what is remembered of it: never raises a signal.
/// Errors: those of message::reserved.
failure legacy_szip_flags(const object&, bool& out) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

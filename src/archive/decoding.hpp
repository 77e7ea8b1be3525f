// SPDX-License-Identifier: Apache-2.0
// What decoding asks of the archive that an object lies in.
#pragma once

#include <cstddef>
#include <span>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Copies bytes of the payload region, masks included, from `at` on. Errors: no_archive, mask_range, file_shrank, io.
failure read_region(const object&, std::uint64_t at, std::span<std::byte> out) noexcept;

/// The limits of its archive; the defaults for a default-constructed one.
const open_options& options_of(const object&) noexcept;

/// Whether the payload lies in a mapping.
bool is_mapped(const object&) noexcept;

/// Whether szip took the flags of the descriptor as they are: in versions 1 and 2, when the encoder was the reference
/// before its release 0.7.0, or does not say who it was (§7.4). Errors: those of message::reserved.
failure legacy_szip_flags(const object&, bool& out) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

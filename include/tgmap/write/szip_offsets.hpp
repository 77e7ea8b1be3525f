// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/write/pipeline.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// Returns the offsets, in bits, of the reference intervals of a szip stream, as `szip_block_offsets` in a descriptor
/// has them: one for each `rsi * block_size` samples, the first one 0. Objects that have them are decoded in parts.
///
/// For `stored_object`s whose stream another program encoded; this library writes them by itself. Skips codes by their
/// lengths and decodes no sample, so libaec is not needed. Also checks that all `samples`, of `bits` bits each, end
/// inside the stream.
/// Errors: bad_parameter (options or bits that libaec does not take, or padded intervals: flag 32); codec_failed (the
/// stream is too short or invalid).
/// Complexity: O(bytes of the stream).
/// Thread safety: any thread.
/// Spec: §7.4.
[[nodiscard]] TGMAP_API std::vector<std::uint64_t> find_szip_offsets(std::span<const std::byte> stream,
                                                                     std::uint64_t samples, unsigned bits,
                                                                     const szip_options&);
[[nodiscard]] TGMAP_API std::vector<std::uint64_t> find_szip_offsets(std::span<const std::byte> stream,
                                                                     std::uint64_t samples, unsigned bits,
                                                                     const szip_options&, failure&) noexcept;

}  // namespace v0
}  // namespace tgmap
